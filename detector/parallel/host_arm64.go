//go:build !taskinstr_runtime

package parallel

// hostFence orders the caller's earlier stores before its later ones.
func hostFence()
