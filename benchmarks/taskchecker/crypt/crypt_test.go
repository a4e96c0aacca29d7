package crypt

import (
	"bytes"
	"testing"
)

// TestVector checks the example of Lai's thesis.
func TestVector(t *testing.T) {
	z := expand([16]byte{0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8})
	text, got := []byte{0, 0, 0, 1, 0, 2, 0, 3}, make([]byte, blockSize)
	cipher(got, text, 0, z)
	if want := []byte{0x11, 0xfb, 0xed, 0x2b, 0x01, 0x98, 0x6d, 0xe5}; !bytes.Equal(got, want) {
		t.Errorf("encrypted: %x, want %x", got, want)
	}
	cipher(got, got, 0, invert(z))
	if !bytes.Equal(got, text) {
		t.Errorf("decrypted: %x, want %x", got, text)
	}
}

func TestInverse(t *testing.T) {
	for a := range 1 << 16 {
		if p := mul(uint16(a), inverse(uint16(a))); p != 1 {
			t.Fatalf("%d times its inverse is %d", a, p)
		}
	}
}
