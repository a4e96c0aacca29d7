package crypt

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"sync"

	"taskinstr/benchmarks/program"
)

func run(n int, racy bool) error {
	n = n / blockSize * blockSize
	text, secret, back := make([]byte, n), make([]byte, n), make([]byte, n)
	r := rand.NewPCG(1, 2)
	for i := range text {
		text[i] = byte(r.Uint64())
	}
	var key [16]byte
	for i := range key {
		key[i] = byte(r.Uint64())
	}
	z := expand(key)
	cipherAll(secret, text, z, racy)
	cipherAll(back, secret, invert(z), false)
	switch {
	case racy:
		return nil
	case !bytes.Equal(back, text):
		return errors.New("what was decrypted is not what was encrypted")
	case bytes.Equal(secret, text):
		return errors.New("nothing was encrypted")
	}
	return nil
}

// cipherAll enciphers src into dst.
func cipherAll(dst, src []byte, z []uint16, racy bool) {
	var wg sync.WaitGroup
	for block := range len(src) / blockSize {
		at := block * blockSize
		if racy {
			at = block/2*blockSize + blockSize/2
		}
		wg.Go(func() { cipher(dst, src, at, z) })
		if (block+1)%program.Alive == 0 {
			wg.Wait()
		}
	}
	wg.Wait()
}
