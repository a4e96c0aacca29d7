package differential

import (
	"math/rand/v2"
	"os"

	"taskinstr/detector/trace"
)

// WriteFile writes the trace of a random structured program into a file.
func WriteFile(name string, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 0))
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := trace.NewWriter(f)
	for _, e := range Random(r, 60, Features{Finish: true, Promises: true, Locks: true}).Run(r) {
		w.Event(&e)
	}
	return w.Close()
}
