package splice

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkCompile measures one package in four ways: compiled without checks, compiled
// with -race, rewritten and compiled, and rewritten only.
func BenchmarkCompile(b *testing.B) {
	const path = "net/http"
	pkgs := list(b, "", path)
	w := newWorld(b, pkgs)
	l := pkgs[len(pkgs)-1]
	if l.ImportPath != path {
		b.Fatalf("the last package is %s", l.ImportPath)
	}
	c, err := w.check(l, nil)
	if err != nil {
		b.Fatal(err)
	}
	r, err := Package(c)
	if err != nil {
		b.Fatal(err)
	}
	files, err := w.write(l, c, r)
	if err != nil {
		b.Fatal(err)
	}
	var plain []string
	for _, n := range l.GoFiles {
		plain = append(plain, filepath.Join(l.Dir, n))
	}
	size := func(b *testing.B) {
		if fi, err := os.Stat(filepath.Join(w.tmp, "out.a")); err == nil {
			b.ReportMetric(float64(fi.Size()), "bytes")
		}
	}
	compile := func(name string, files []string, flags ...string) {
		b.Run(name, func(b *testing.B) {
			w.cpu = 0
			for b.Loop() {
				if err := w.compile(l, "", append(flags, files...)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(w.cpu.Seconds()/float64(b.N), "cpu-s/op")
			size(b)
		})
	}
	compile("plain", plain)
	compile("race", plain, "-race")
	compile("spliced", files)
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			if _, err := w.check(l, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("splice", func(b *testing.B) {
		for b.Loop() {
			if _, err := Package(c); err != nil {
				b.Fatal(err)
			}
		}
	})
}
