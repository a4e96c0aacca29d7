// Command x-crypto encrypts and sums one block of bytes with several ciphers and hashes in four tasks.
package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"hash"
	"log"
	"sync"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/blake2s"
	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/ripemd160"
	"golang.org/x/crypto/salsa20"
)

const (
	tasks  = 4
	rounds = 8 // of each task
	size   = 48 << 10
)

func main() {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i * i >> 5)
	}
	key := data[100:132]
	sums := make([][]byte, tasks)
	var wg sync.WaitGroup
	for task := range tasks {
		wg.Go(func() {
			for range rounds {
				sums[task] = hashes(data)
				ciphers(key, data)
			}
		})
	}
	wg.Wait()
	for task, sum := range sums {
		if !bytes.Equal(sum, sums[0]) {
			log.Fatalf("task %d has sums %x, task 0 %x", task, sum, sums[0])
		}
	}
}

func hashes(data []byte) (sums []byte) {
	big := must(blake2b.New512(nil))
	small := must(blake2s.New256(nil))
	for _, h := range []hash.Hash{md5.New(), sha1.New(), sha256.New(), sha512.New(), sha3.New256(), ripemd160.New(), big, small} {
		h.Write(data)
		sums = h.Sum(sums)
	}
	return sums
}

func ciphers(key, data []byte) {
	block := must(aes.NewCipher(key))
	gcm := must(cipher.NewGCM(block))
	chacha := must(chacha20poly1305.New(key))
	for _, c := range []cipher.AEAD{gcm, chacha} {
		nonce := data[:c.NonceSize()]
		back, err := c.Open(nil, nonce, c.Seal(nil, nonce, data, nil), nil)
		if err != nil || !bytes.Equal(back, data) {
			log.Fatalf("%d bytes came back of %d, %v", len(back), len(data), err)
		}
	}
	var secret [32]byte
	copy(secret[:], key)
	packed, back := make([]byte, size), make([]byte, size)
	salsa20.XORKeyStream(packed, data, data[:8], &secret)
	salsa20.XORKeyStream(back, packed, data[:8], &secret)
	if !bytes.Equal(back, data) {
		log.Fatal("salsa20 gives other bytes back")
	}
}
