package stats

import "math"

// Student estimates mean x - mean y of two independent samples of one variance:
// s² = ((nx-1)sx² + (ny-1)sy²)/(nx+ny-2), the difference ± t(nx+ny-2; level)
// s sqrt(1/nx + 1/ny). SD is s. Source: Student 1908, Fisher 1925.
func Student(x, y Sample, alt Alternative, level float64) (Estimate, error) {
	if err := checkBoth(x, y, alt, level); err != nil {
		return Estimate{}, err
	}
	nx, ny := float64(x.N), float64(y.N)
	sd := pooledSD(x, y)
	return difference(x, y, sd*math.Sqrt(1/nx+1/ny), sd, nx+ny-2, alt, level)
}

// pooledSD has no squares that could over- or underflow.
func pooledSD(x, y Sample) float64 {
	nx, ny := float64(x.N), float64(y.N)
	df := nx + ny - 2
	return math.Hypot(x.SD*math.Sqrt((nx-1)/df), y.SD*math.Sqrt((ny-1)/df))
}
