package stats

import "math"

// incompleteBeta is I(x; a, b) with y = 1 - x, which the caller may know more
// precisely: the continued fraction on the side where it converges in about
// sqrt(max(a, b)) steps, times a factor without cancellation, so that counts of
// millions keep their digits too. Sources: DLMF 8.17.22; Loader 2000.
func incompleteBeta(a, b, x, y float64) float64 {
	switch {
	case x <= 0:
		return 0
	case y <= 0:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - smallBeta(b, a, y, x)
	}
	return smallBeta(a, b, x, y)
}

// smallBeta is incompleteBeta where the continued fraction converges fast.
func smallBeta(a, b, x, y float64) float64 {
	// log(x^a y^b Γ(a+b)/(Γ(a) Γ(b))): from the peak at x = a/n the linear parts of
	// both logarithms cancel.
	n := a + b
	u, v := (x*b-y*a)/a, (y*a-x*b)/b
	log := a*log1pLess(u) + b*log1pLess(v) + math.Log(a/(2*math.Pi)*(b/n))/2 + stirling(n) - stirling(a) - stirling(b)
	f, c, d := 1.0, 1.0, 0.0 // 1 + d1/(1 + d2/(1 + …)) by Lentz's method
	for m := range 1_000_000 {
		k := float64(m)
		for _, term := range [2]float64{
			-(a + k) * (a + b + k) * x / ((a + 2*k) * (a + 2*k + 1)),
			(k + 1) * (b - k - 1) * x / ((a + 2*k + 1) * (a + 2*k + 2)),
		} {
			d = 1 / (1 + term*d)
			c = 1 + term/c
			f *= c * d
		}
		if math.Abs(c*d-1) < 1e-16 {
			break
		}
	}
	return math.Exp(log) / (a * f)
}

// log1pLess is log(1+t) - t.
func log1pLess(t float64) float64 {
	if math.Abs(t) > 0.3 {
		return math.Log1p(t) - t
	}
	r := t / (2 + t)
	r2, sum, power := r*r, 0.0, r
	for k := 3.0; k < 31; k += 2 {
		power *= r2
		sum += power / k
	}
	return 2*sum - t*r
}

// stirling is log Γ(a) minus Stirling's formula (a-1/2) log a - a + log(2π)/2.
func stirling(a float64) float64 {
	if a < 20 {
		gamma, _ := math.Lgamma(a)
		return gamma - (a-0.5)*math.Log(a) + a - math.Log(2*math.Pi)/2
	}
	a2 := a * a
	return (1.0/12 - (1.0/360-(1.0/1260-(1.0/1680-1.0/(1188*a2))/a2)/a2)/a2) / a
}
