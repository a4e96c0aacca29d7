//go:build taskinstr_runtime

// The fingerprint of a race: a number that does not depend on line numbers, addresses or
// the order of the two accesses. docs/use/report-format.md defines it. Programs keep
// fingerprints in lists of known races, so the definition does not change.

package runtime

// A tr_digest is a 64-bit FNV-1a hash.
type tr_digest uint64

const tr_emptyDigest tr_digest = 0xcbf29ce484222325

func (d *tr_digest) add(s string) {
	for i := 0; i < len(s); i++ {
		*d = (*d ^ tr_digest(s[i])) * 0x100000001b3
	}
}

// addNumber adds v as 16 hexadecimal digits.
func (d *tr_digest) addNumber(v tr_digest) {
	for shift := 60; shift >= 0; shift -= 4 {
		k := v >> shift & 15
		d.add("0123456789abcdef"[k : k+1])
	}
}

func tr_fingerprint(r *ra_Report) uint64 {
	x, y := tr_sideDigest(&r.Cur), tr_sideDigest(&r.Prev)
	if x > y {
		x, y = y, x
	}
	d := tr_emptyDigest
	d.addNumber(x)
	d.addNumber(y)
	return uint64(d)
}

// tr_sideDigest returns the digest of one access: its kind, expression and declaration,
// and the functions from the accessing one outwards to the first one outside of the
// standard library.
func tr_sideDigest(a *ra_Side) tr_digest {
	d := tr_emptyDigest
	if a.Kind&tr_atomic != 0 {
		d.add("atomic ")
	}
	if a.Kind&tr_write != 0 {
		d.add("write\n")
	} else {
		d.add("read\n")
	}
	w := tr_describe(a)
	for i := 0; i < min(w.names.n, tr_maxNames); i++ {
		if i > 0 {
			d.add(" or ")
		}
		d.add(w.names.list[i].expr)
	}
	d.add("\n")
	d.add(w.names.decl())
	d.add("\n")
	user := false
	f := tr_framesOf(a.PC, a.Stack)
	for {
		l, ok := f.next()
		if !ok {
			return d
		}
		// Functions of the runtime and of package sync differ between versions of Go.
		user = user || !tr_hidden(l.name, false) && !tr_synchronizes(l.name)
		if user {
			d.add(l.name)
			d.add("\n")
			if tr_ownFunc(l.name) || !tr_stdFunc(l.name) {
				return d
			}
		}
	}
}
