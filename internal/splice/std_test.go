package splice

import (
	"flag"
	"go/version"
	"hash/fnv"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"taskinstr/internal/site"
)

var (
	allStd       = flag.Bool("splice.std", false, "rewrite and compile every package of std, not a sample")
	only         = flag.String("splice.only", "", "rewrite and compile only this package")
	withBranches = flag.Bool("splice.branches", false, "with the accesses of branches not taken")
	inDir        = flag.String("splice.dir", "", "list packages from this directory")
	pattern      = flag.String("splice.packages", "std", "rewrite and compile the packages that match, and what they import")
)

// minLang returns the language version to compile with. The checks are generic functions,
// which need Go 1.18.
func minLang(v string) string {
	if v != "" && version.Compare(v, "go1.18") < 0 {
		return "go1.18"
	}
	return version.Lang(v)
}

// TestStd rewrites packages of the standard library and compiles the result.
func TestStd(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages")
	}
	w := newWorld(t, *inDir, strings.Fields(*pattern)...)
	var sum Stats
	var checking, rewriting time.Duration
	n, branches, recorded, reasons := 0, 0, 0, map[string]int{}
	for _, l := range w.pkgs {
		if _, skip := site.Skip(l.ImportPath); skip || l.Name == "" || len(l.GoFiles) == 0 {
			continue
		}
		if *only != "" && l.ImportPath != *only {
			continue
		}
		if *pattern != "std" && l.Standard {
			continue
		}
		if *pattern == "std" && !*allStd && *only == "" {
			h := fnv.New32()
			h.Write([]byte(l.ImportPath))
			if h.Sum32()%12 != 0 {
				continue
			}
		}
		n++
		start := time.Now()
		c, err := w.check(l)
		if err != nil {
			t.Errorf("%s: %v", l.ImportPath, err)
			continue
		}
		checked := time.Now()
		c.Branches = *withBranches
		r, err := Package(c)
		if err != nil {
			t.Error(err)
			continue
		}
		rewriting += time.Since(checked)
		if !*withBranches {
			listsSites(t, c, r)
		}
		checking += checked.Sub(start)
		addTo(&sum, r.Stats)
		for _, n := range r.Branches {
			branches++
			recorded += n.Recorded
			for _, why := range n.Left {
				reasons[reasonKind.ReplaceAllString(why, "")]++
			}
		}
		files, err := w.write(l, c, r)
		if err == nil {
			_, err = w.compile(l, minLang(c.GoVersion), files)
		}
		if err != nil {
			t.Errorf("%s: %v", l.ImportPath, err)
		}
	}
	if n == 0 || sum.Checks == 0 {
		t.Errorf("%d packages with %d checks", n, sum.Checks)
	}
	t.Logf("%d packages, parse and type-check %v, rewrite %v\n%+v", n, checking, rewriting, sum)
	if *withBranches {
		t.Logf("%d if statements, %d accesses of other sides recorded; left out: %v", branches, recorded, reasons)
	}
}

// addTo adds the counters of s to sum.
func addTo(sum *Stats, s Stats) {
	total, more := reflect.ValueOf(sum).Elem(), reflect.ValueOf(s)
	for i := range more.NumField() {
		total.Field(i).SetInt(total.Field(i).Int() + more.Field(i).Int())
	}
}

// reasonKind matches the parts in which reasons of one kind differ.
var reasonKind = regexp.MustCompile(`^.*: its|call of \w+| at line \d+`)
