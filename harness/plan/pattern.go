package plan

// patternParameter is the signature pattern of what is monitored.
const patternParameter = "pattern"

// OwnMethod is the value of the pattern that stands for the target's own method.
const OwnMethod = "target"

// patternedExecutions is how many monitored executions a call is allowed when a
// pattern says what is monitored: that may be all of an application.
const patternedExecutions = 1000

// Pattern is the signature pattern of what is monitored, "" when that is the
// target's own method. How many records a call makes is not known with it.
func (c *Cell) Pattern() string {
	if p := c.Parameter(patternParameter); p != OwnMethod {
		return p
	}
	return ""
}

// monitored are the placeholders that say what is monitored: signature is the
// pattern, else class, method and signature are the target's own method.
func (c *Cell) monitored() map[string]string {
	if p := c.Pattern(); p != "" {
		return map[string]string{"signature": p}
	}
	class := c.Launch.Target
	if class == "" {
		return map[string]string{}
	}
	return map[string]string{"class": class, "method": method, "signature": "public long " + class + "." + method + "(long, int)"}
}

// patterned checks that the variant can be told what to monitor, where a
// pattern says it.
func (b *builder) patterned(c *Cell, at []any) {
	pattern, v := c.Pattern(), c.Variant
	if pattern == "" {
		return
	}
	if v.Target != "" {
		b.fail(at, "take the variant or the pattern out", "%s is compiled into one method, of %s, and can't monitor pattern %q", v.Name, v.Target, pattern)
	}
	for _, name := range []string{"class", "method"} {
		if v.Uses(name) {
			b.fail(at, "take the variant or the pattern out", "%s is told what to monitor by {%s}, and pattern %q names no single one", v.Name, name, pattern)
			return
		}
	}
}
