package polyhedral

import (
	"maps"
	"testing"
)

// checkFootprints compares the scans of footprints with an execution. The write scan
// visits exactly the written elements. The read scan visits all elements that are read
// but not written, and only elements that are read.
func checkFootprints(t testing.TB, steps []any, refs []ref, footprints []*Footprint) {
	t.Helper()
	for _, base := range environments {
		env := maps.Clone(base)
		env[Var{"l", Symbol}], env[Var{"o", Symbol}], env[Var{"p", Symbol}] = 2, 1, 1
		for _, f := range footprints {
			var writes, reads []statement
			for _, r := range refs {
				if !r.array.equal(f.Array) {
					continue
				}
				st := statement{steps, r.subs, r.array, r.write}
				if r.write {
					writes = append(writes, st)
				} else {
					reads = append(reads, st)
				}
			}
			written, read := touched(writes, env), touched(reads, env)
			gotW, gotR := visited(t, f.WriteScan, env), visited(t, f.ReadScan, env)
			if !maps.Equal(written, gotW) {
				t.Fatalf("%s for %v: wrote %v, scan %v\n%s", f.Array.Name, env, sorted(written), sorted(gotW), f.WriteScan)
			}
			for e := range gotR {
				if !read[e] {
					t.Fatalf("%s for %v: %s is scanned but not read\n%s", f.Array.Name, env, e, f.ReadScan)
				}
			}
			for e := range read {
				if !gotR[e] && !written[e] {
					t.Fatalf("%s for %v: %s is read but not scanned\n%s", f.Array.Name, env, e, f.ReadScan)
				}
			}
		}
	}
}

func TestRandomFootprints(t *testing.T) {
	kept := 0
	for seed := range *nests / 3 {
		r := nestOf(seed, 2)
		sts := r.statements()
		var refs []ref
		var accesses []Access
		for _, st := range sts {
			a, err := st.access()
			if err != nil {
				break
			}
			accesses = append(accesses, a)
			refs = append(refs, ref{st.array, st.write, st.subs})
		}
		footprints, refused := Analyze(accesses)
		if len(refused) > 0 || len(footprints) == 0 {
			continue
		}
		checkFootprints(t, sts[0].steps, refs, footprints)
		if kept++; t.Failed() {
			t.Fatalf("seed %d\n%s", seed, describe(sts))
		}
	}
	if kept*100 < *nests/3*95 {
		t.Errorf("only %d nests were looked at", kept)
	}
}
