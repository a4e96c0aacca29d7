package fasta

// The generator's cycle is as long as its modulus.
const (
	modulus    = 139968
	multiplier = 3877
	increment  = 29573
	firstSeed  = 42
)

// step is the next seed.
func step(seed int) int { return (seed*multiplier + increment) % modulus }

// jump is the seed n steps on, by repeated squaring of the step, which is an
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

// A letter is drawn when the random number, as a share of the modulus, is the
// first to be below its bound.
type letter struct {
	code  byte
	bound float64
}

// cumulate makes bounds of frequencies.
func cumulate(codes string, frequencies ...float64) []letter {
	letters := make([]letter, len(codes))
	sum := 0.0
	for i, f := range frequencies {
		sum += f
		letters[i] = letter{codes[i], sum}
	}
	letters[len(letters)-1].bound = 1 // whatever the rounding
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
