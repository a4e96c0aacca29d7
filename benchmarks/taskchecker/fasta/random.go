package fasta

// The period of the generator is its modulus.
const (
	modulus    = 139968
	multiplier = 3877
	increment  = 29573
	firstSeed  = 42
)

// step returns the next seed.
func step(seed int) int { return (seed*multiplier + increment) % modulus }

// jump returns the seed n steps later, by repeated squaring of the step, which is an
// affine function of the seed.
func jump(seed, n int) int {
	a, c := multiplier, increment
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			seed = (a*seed + c) % modulus
		}
		a, c = a*a%modulus, (a*c+c)%modulus
	}
	return seed
}

// A letter is drawn if its bound is the first to exceed the random number, as a fraction
// of the modulus.
type letter struct {
	code  byte
	bound float64
}

// cumulate converts frequencies to bounds.
func cumulate(codes string, frequencies ...float64) []letter {
	letters := make([]letter, len(codes))
	sum := 0.0
	for i, f := range frequencies {
		sum += f
		letters[i] = letter{codes[i], sum}
	}
	letters[len(letters)-1].bound = 1 // regardless of rounding errors
	return letters
}

func draw(letters []letter, seed int) byte {
	v := float64(seed) / modulus
	for _, l := range letters {
		if v < l.bound {
			return l.code
		}
	}
	return letters[len(letters)-1].code
}
