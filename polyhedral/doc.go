// Package polyhedral computes the array elements that a nest of loops accesses, as
// exact sets of integers. It generates a loop program that visits them in few, long
// runs. The package depends neither on Go programs nor on the purpose of the visits.
//
// # Terms
//
// A symbol is constant while the nest runs; an iterator takes the values of a loop. An
// expression is affine if each iterator occurs alone and to the first degree, with a
// number as its coefficient; a product of symbols counts as a symbol. A Domain holds
// the iterations in which a statement runs: loops of any constant step, bounds over
// outer iterators, conditions, and quotients. An Access maps them to the coordinates of
// an Array. The image of the domain under this map is a Set: a union of pieces, each a
// conjunction of inequalities, equalities and congruences over the coordinates, for all
// values of the symbols. A Scan is a program that visits the elements of the set.
//
// # Algorithm
//
// A loop with a step other than 1 and -1, or with a start that is not affine (such as
// the row loop k = i*n; k < i*n+n), runs over a counter from 0 instead, so domains need
// no strides. The image is the projection of {(x, i) : i in the domain, x = access(i)}
// on x. Euclid's algorithm on the columns eliminates the iterators of equalities and
// leaves congruences. Fourier-Motzkin elimination removes an iterator that occurs in
// inequalities only, if the dark shadow of the Omega test proves the elimination exact
// for integers. An iterator without an exact elimination stays in the piece as an
// existential: a scan loops over it and may visit an element more than once, but visits
// no other element. Nothing is ever approximated.
//
// Pieces are joined if their union is one conjunction (for stencils, or for the even
// and the odd elements of a range), and cut if they overlap. A scan has a loop for each
// coordinate but the last, bounded by the projection on this coordinate and the outer
// ones, and a run for the last coordinate. Loops whose runs touch collapse to one run;
// where that depends on symbols, a test at run time decides.
//
// A flat subscript i*n + j has two coordinates (delinearize.go). The rows of a slice of
// slices may lie anywhere in memory, so their subscripts remain loops.
//
// # Limits
//
// Sets are over the integers, but a program computes modulo 2^64. Both agree while no
// symbol exceeds Footprint.Limit in magnitude; the program that executes a scan must
// test this first. Iterators narrower than 64 bits must not wrap either. The package
// refuses expressions that are not affine and computations whose coefficients exceed
// int64. A result holds only where the assumptions of the domain hold.
//
// # Sources
//
// Polyhedral check elimination is from section 4.4.2 of the DRDP paper, whose matmul is
// testdata/matmul.golden. Projection: W. Pugh, The Omega test (1991). Scanning: C.
// Bastoul, Code generation in the polyhedral model is easier than you think (2004),
// without its separation of overlapping statements, since pieces are made disjoint
// beforehand. Joining pieces: S. Verdoolaege, Integer set coalescing (2015), its first
// case only.
package polyhedral
