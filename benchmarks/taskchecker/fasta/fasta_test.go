package fasta

import (
	"strings"
	"testing"
)

func TestJump(t *testing.T) {
	seed := firstSeed
	for n := range 1000 {
		if got := jump(firstSeed, n); got != seed {
			t.Fatalf("%d steps: %d, want %d", n, got, seed)
		}
		seed = step(seed)
	}
	if got := jump(firstSeed, modulus); got != firstSeed {
		t.Errorf("a whole cycle leads from %d to %d", firstSeed, got)
	}
}

func TestLayout(t *testing.T) {
	if len(alu) != 287 {
		t.Errorf("the sequence to repeat has %d letters, want 287", len(alu))
	}
	o := &output{}
	a, b := o.section(">a\n", 61), o.section(">b\n", 60)
	o.allocate(a, b)
	o.repeat(a, "x")
	o.repeat(b, "y")
	want := ">a\n" + strings.Repeat("x", 60) + "\nx\n>b\n" + strings.Repeat("y", 60) + "\n"
	if string(o.text) != want {
		t.Errorf("got\n%s\nwant\n%s", o.text, want)
	}
}
