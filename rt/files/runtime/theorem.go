//go:build taskinstr_runtime

package runtime

// tr_theorem is what a clean run without choices has earned besides, with this detector.
const tr_theorem = ""
