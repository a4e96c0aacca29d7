package strassen

import (
	"math/rand/v2"

	"taskinstr/benchmarks/drdp/matrix"
)

func run(in input, racy bool) error {
	r := rand.New(rand.NewPCG(18, 19))
	a, b, c := matrix.Operands(in.n, r)
	multiply(c, a, b, in.block, racy)
	if racy {
		return nil
	}
	return matrix.CheckProduct(c, a, b, r, 1e-8) // the sums and differences lose some accuracy
}
