// Package polyhedral computes which array elements a nest of loops touches, as
// exact sets of integers, and makes a loop program that visits them in few, long
// runs. It knows nothing of Go programs or of what the visits are for.
//
// # Terms
//
// A symbol is constant while the nest runs; an iterator takes the values of a
// loop. An expression is affine when its iterators occur alone, to the first
// degree, with numbers for coefficients; a product of symbols counts as a symbol.
// A Domain holds the iterations in which a statement runs: loops of any constant
// step, bounds over outer iterators, conditions, quotients. An Access maps them to
// coordinates of an Array. The image of the domain under it is a Set: a union of
// pieces, each a conjunction of inequalities, equalities and congruences over the
// coordinates, for all values of the symbols. A Scan is a program that visits the
// set's elements.
//
// # Algorithm
//
// A loop whose step is not 1 or -1 (or whose start is not affine, as in the row
// loop k = i*n; k < i*n+n) runs over a counter from 0 instead, so domains need no
// strides. The image is the projection of {(x, i) : i in the domain, x = access(i)}
// on x. Iterators in equalities are eliminated by Euclid's algorithm on the
// columns, which leaves congruences; those in inequalities only by Fourier-Motzkin
// elimination where the dark shadow of the Omega test proves it exact for integers.
// An iterator that cannot be eliminated exactly stays in the piece as an
// existential: a scan loops over it, and may then visit an element more than once,
// but never another one. Nothing is ever approximated.
//
// Pieces are joined where their union is one conjunction (for stencils, or for the
// even and the odd elements of a range), and cut where they overlap. A scan has a
// loop for each coordinate but the last, bounded by the projection on the outer
// ones, and a run for the last; loops whose runs touch collapse to one run, at run
// time under a test where the symbols decide.
//
// A flat subscript i*n + j has two coordinates (delinearize.go). Slices of slices
// have rows that lie anywhere; their outer subscripts stay loops.
//
// # Limits
//
// Sets are over the integers; a program computes modulo 2^64. The two agree while
// no symbol is larger in magnitude than Footprint.Limit says: whoever uses a scan
// tests that first. Iterators narrower than 64 bits must not wrap, either. Coefficients that leave int64 are refused, as is what is not affine. An
// assumption that does not hold makes what is computed from it meaningless.
//
// # Sources
//
// Polyhedral check elimination is from section 4.4.2 of the DRDP paper, whose
// matmul is testdata/matmul.golden. Projection: W. Pugh, The Omega test (1991). Scanning:
// C. Bastoul, Code generation in the polyhedral model is easier than you think
// (2004), without its separation of overlapping statements: pieces are made
// disjoint beforehand. Joining pieces: S. Verdoolaege, Integer set coalescing
// (2015), its first case only.
package polyhedral
