//go:build !unix

package bench

import "os"

// reportedPeak is not known here.
func reportedPeak(*os.ProcessState) float64 { return 0 }
