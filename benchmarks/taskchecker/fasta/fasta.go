package fasta

import (
	"fmt"
	"sync"
)

// width is the length of a line.
const width = 60

// alu is the sequence to repeat, from the benchmark: a piece of human DNA.
const alu = "GGCCGGGCGCGGTGGCTCACGCCTGTAATCCCAGCACTTTGGGAGGCCGAGGCGGGCGGA" +
	"TCACCTGAGGTCAGGAGTTCGAGACCAGCCTGGCCAACATGGTGAAACCCCGTCTCTACT" +
	"AAAAATACAAAAATTAGCCGGGCGTGGTGGCGCGCGCCTGTAATCCCAGCTACTCGGGAG" +
	"GCTGAGGCAGGAGAATCGCTTGAACCCGGGAGGCGGAGGTTGCAGTGAGCCGAGATCGCG" +
	"CCACTGCACTCCAGCCTGGGCGACAGAGCGAGACTCCGTCTCAAAAA"

func run(n int, racy bool) error {
	out := &output{}
	once := out.section(">ONE Homo sapiens alu\n", 2*n)
	two := out.section(">TWO IUB ambiguity codes\n", 3*n)
	three := out.section(">THREE Homo sapiens frequency\n", 5*n)
	out.allocate(once, two, three)

	iub := cumulate("acgtBDHKMNRSVWY", 0.27, 0.12, 0.12, 0.27,
		0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02)
	sapiens := cumulate("acgt", 0.3029549426680, 0.1979883004921, 0.1975473066391, 0.3015094502008)
	seedTwo := firstSeed
	seedThree := jump(seedTwo, two.letters)
	half := three.letters / 2
	drawn := 0 // number of letters, counted in the racy variant
	random := func(s section, letters []letter, seed, lo, hi int) {
		out.random(s, letters, seed, lo, hi)
		if racy {
			drawn += hi - lo
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() { out.repeat(once, alu) })
	wg.Go(func() { random(two, iub, seedTwo, 0, two.letters) })
	wg.Go(func() { random(three, sapiens, seedThree, 0, half) })
	wg.Go(func() { random(three, sapiens, seedThree, half, three.letters) })
	wg.Wait()
	if racy {
		return nil
	}
	return out.check(once, two, three, iub, sapiens)
}

// output holds the whole text.
type output struct {
	text []byte
	size int
}

// A section is one sequence in the output.
type section struct {
	header  string
	letters int
	start   int // the offset of the header
}

// section plans a further section.
func (o *output) section(header string, letters int) section {
	s := section{header, letters, o.size}
	o.size = s.at(letters-1) + 2
	return s
}

// allocate makes the text, with its headers and newlines.
func (o *output) allocate(ss ...section) {
	o.text = make([]byte, o.size)
	for _, s := range ss {
		copy(o.text[s.start:], s.header)
		for i := width; i < s.letters; i += width {
			o.text[s.at(i)-1] = '\n'
		}
		o.text[s.at(s.letters-1)+1] = '\n'
	}
}

// at returns the offset of the i-th letter.
func (s section) at(i int) int { return s.start + len(s.header) + i + i/width }

// repeat fills a section with copies of a sequence.
func (o *output) repeat(s section, sequence string) {
	k := 0
	for i := range s.letters {
		o.text[s.at(i)] = sequence[k]
		if k++; k == len(sequence) {
			k = 0
		}
	}
}

// random draws the letters lo to hi of a section. seed is the generator's state at the
// beginning of the section.
func (o *output) random(s section, letters []letter, seed, lo, hi int) {
	seed = jump(seed, lo)
	for i := lo; i < hi; i++ {
		seed = step(seed)
		o.text[s.at(i)] = draw(letters, seed)
	}
}

// check draws all letters in sequence and compares a sample of each section.
func (o *output) check(once, two, three section, iub, sapiens []letter) error {
	const every = 7
	for i := 0; i < once.letters; i += every {
		if got, want := o.text[once.at(i)], alu[i%len(alu)]; got != want {
			return fmt.Errorf("repetition: letter %d is %c, want %c", i, got, want)
		}
	}
	seed := firstSeed
	for _, r := range []struct {
		section
		letters []letter
	}{{two, iub}, {three, sapiens}} {
		for i := range r.section.letters {
			seed = step(seed)
			if i%every != 0 {
				continue
			}
			if got, want := o.text[r.at(i)], draw(r.letters, seed); got != want {
				return fmt.Errorf("%s letter %d is %c, want %c", r.header, i, got, want)
			}
		}
	}
	for i, c := range o.text {
		if c == 0 {
			return fmt.Errorf("nothing was written at offset %d of %d", i, len(o.text))
		}
	}
	return nil
}
