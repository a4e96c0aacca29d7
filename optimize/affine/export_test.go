package affine

// Trace has f told why nests are refused.
func Trace(f func(string)) { traceNests = f }
