package stats

import (
	"fmt"
	"math"
	"testing"

	"moobench/analysis/internal/testnumber"
)

// Where t is large against the spread of S, R's pt is a normal approximation.
// These are integrals, cut where the integrand has its cliff:
//
//	g <- function(s) pnorm(t*s - ncp, lower.tail = FALSE) * 2*s*df*dchisq(s^2*df, df)
//	e <- ncp/t; w <- 12/t
//	integrate(g, 0, e-w, rel.tol = 1e-12) and so on over (e-w, e), (e, e+w), (e+w, e+w+20)
func TestNoncentralCliff(t *testing.T) {
	for _, c := range []struct{ t, df, ncp, want float64 }{
		{51, 1, 65, 0.797430438153},
		{6366, 1, 8159, 0.800035430015},
		{12.7, 1, 16.3, 0.799280447227},
		{30, 3, 50, 0.960020389915},
		{200, 2, 260, 0.815469497433},
	} {
		if got := noncentralTTail(c.t, c.df, c.ncp); math.Abs(got/c.want-1) > 1e-11 {
			t.Errorf("P(T' > %v), df %v, ncp %v = %.12g, want %.12g", c.t, c.df, c.ncp, got, c.want)
		}
	}
}

// Both integrals are the same where both are smooth.
func TestNoncentralIntegralsAgree(t *testing.T) {
	for _, g := range []noncentral{{12.7, 1, 16.3}, {5.3, 1, 13}, {40, 80, 45}, {20, 5, 15}, {60, 100, 50}} {
		if a, b := g.integral(), g.overNormal(); math.Abs(a/b-1) > 1e-11 {
			t.Errorf("%+v: %.14g over S, %.14g over Z", g, a, b)
		}
	}
}

// Detectable ends for tests that nobody makes, and is where it must be: of two
// pairs |Z| < ncp/t in four of five.
func TestDetectableFarOut(t *testing.T) {
	got, err := Detectable(1, 1, 1e-12, 0.8, TwoSided)
	if want := 1.2815515655446004 * TQuantile(0.5e-12, 1); err != nil || math.Abs(got/want-1) > 1e-9 {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// TestFarTail: log P(Z > z) and the hazard on both sides of where they are computed another way. The values are
// those of erfc(z/√2)/2 of the C library.
func TestFarTail(t *testing.T) {
	for _, c := range []struct{ z, log, hazard float64 }{
		{29.99, -454.020961304468, 30.023270708803565},
		{30, -454.3212439563431, 30.033259667430148},
		{30.01, -454.62162649784113, 30.043248633370293},
		{37, -689.0305855768905, 37.02698768612336},
	} {
		testnumber.Check(t, fmt.Sprintf("log tail of %v", c.z), logNormalTail(c.z), c.log, 1e-13)
		testnumber.Check(t, fmt.Sprintf("hazard of %v", c.z), hazard(c.z), c.hazard, 1e-12)
	}
}
