//go:build taskinstr_runtime

package runtime

// tr_theorem is theorem 11 of Jin et al.
const tr_theorem = ", so the result is determinate"
