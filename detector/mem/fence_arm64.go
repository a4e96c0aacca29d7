//go:build !taskinstr_runtime

package mem

// Fence orders the caller's earlier stores before its later ones.
func Fence()
