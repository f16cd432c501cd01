package rooms

type inATest struct{}
