//go:build !taskinstr_runtime && !arm64

package parallel

// hostFence does nothing: the other supported processor keeps stores in order.
func hostFence() {}
