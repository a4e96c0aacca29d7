package schedule

// A Plan is the value of the option schedule: the name of a strategy, and what it needs.
//
//	random:7        pct:7,d=3,k=400        preempt:7,b=2        surw:7,of=object        dfs:all        replay:FILE
type Plan struct {
	Kind   Kind
	Seed   uint64
	Seeded bool      // the value has a seed
	Depth  uint32    // of PCT
	Bound  uint32    // of Preempt
	Steps  uint32    // expected number of steps; 0: not known
	File   string    // of Replay
	All    bool      // of dfs: all synchronization, not only locks
	Of     Selection // of SURW: the operations that are weighted
}

// A Kind is a strategy, or the way in which one is used.
type Kind uint32

const (
	KindOff Kind = iota
	KindSerial
	KindDFS
	KindRandom
	KindPCT
	KindPOS
	KindSURW
	KindPreempt
	KindReplay
)

var kindText = [...]string{"off", "serial", "dfs", "random", "pct", "pos", "surw", "preempt", "replay"}

// Random reports whether a strategy draws by chance, from a seed.
func (k Kind) Random() bool { return k >= KindRandom && k <= KindPreempt }

const (
	defaultDepth = 3
	defaultBound = 2

	maxSeed = 1<<31 - 1
)

// Parse reads the value of the option. If it is not valid, Parse returns false.
func (p *Plan) Parse(s string) bool {
	name, arg, given := cut(s, ':')
	*p = Plan{Depth: defaultDepth, Bound: defaultBound}
	known := false
	for i := range kindText {
		if kindText[i] == name {
			p.Kind, known = Kind(i), true
		}
	}
	switch {
	case !known:
		return false
	case p.Kind == KindReplay:
		p.File = arg
		return arg != ""
	case p.Kind == KindDFS && given:
		p.All = true
		return arg == "all"
	case !p.Kind.Random():
		return !given
	case given && arg == "":
		return false
	}
	for first := true; arg != ""; first = false {
		var word string
		word, arg, given = cut(arg, ',')
		if given && arg == "" {
			return false
		}
		key, val, isKey := cut(word, '=')
		if !isKey {
			n, ok := number(word, maxSeed)
			if !ok || !first {
				return false
			}
			p.Seed, p.Seeded = uint64(n), true
			continue
		}
		if !p.set(key, val) {
			return false
		}
	}
	return true
}

// set sets a parameter.
func (p *Plan) set(key, val string) bool {
	if key == "of" && p.Kind == KindSURW {
		for i := OfObject; i <= OfSites; i++ {
			if selectionText[i] == val {
				p.Of = i
				return true
			}
		}
		return false
	}
	n, ok := number(val, maxSeed)
	if !ok {
		return false
	}
	switch {
	case key == "d" && p.Kind == KindPCT:
		p.Depth = n
		return n >= 1 && n <= MaxDepth
	case key == "b" && p.Kind == KindPreempt:
		p.Bound = n
		return n <= MaxPreemptions
	case key == "k" && (p.Kind == KindPCT || p.Kind == KindPreempt):
		p.Steps = n
		return n >= 1
	}
	return false
}

// cut splits s at the first c.
func cut(s string, c byte) (before, after string, found bool) {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

func number(s string, most uint32) (uint32, bool) {
	n := uint64(0)
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' || n > uint64(most) {
			return 0, false
		}
		n = 10*n + uint64(s[i]-'0')
	}
	return uint32(n), s != "" && n <= uint64(most)
}
