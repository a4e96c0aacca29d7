package splice

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"taskinstr/internal/golist"
	"taskinstr/internal/site"
)

const plannedSource = `package main

type point struct{ x, y int }

var p = &point{}

func sum(a []int, n int) (s int) {
	for i := 0; i < n; i++ {
		s += a[i] + p.x
		p.y++
	}
	for _, v := range a {
		s += v
	}
	p.x = s
	return s
}

func main() { println(sum(make([]int, 8), 8)) }
`

func planOf(fates map[site.Key]Fate, inserts ...Insert) *Plan {
	return &Plan{Files: map[string]string{"p.go": site.Digest([]byte(plannedSource))}, Fates: fates, Inserts: inserts}
}

// typedName matches the start of a call of a helper for one type.
var typedName = regexp.MustCompile(`(_ti_[a-z0-9]+)_[0-9]+\(`)

// TestPlan carries plans out and compiles the results.
func TestPlan(t *testing.T) {
	elem := site.Key{File: "p.go", Line: 9, Col: 8, Expr: "a[i]"}
	px := site.Key{File: "p.go", Line: 9, Col: 15, Expr: "p.x"}
	py := site.Key{File: "p.go", Line: 10, Col: 3, Expr: "p.y", Write: true}
	all := site.Key{File: "p.go", Line: 12, Col: 20, Expr: "a", Elems: true}
	write := site.Key{File: "p.go", Line: 15, Col: 2, Expr: "p.x", Write: true}
	loop := Insert{File: "p.go", Line: 8, Col: 2, Flags: []string{"_ti_a1", "_ti_h1"}, Sites: [][]site.Key{{elem, px, elem}},
		Text: "_ti_a1, _ti_h1 := false, false; if n > 0 && n <= len(a) { $span(a, 0, $min(n, len(a)), 0, $0); _ti_a1 = true }"}
	for _, c := range []struct {
		name  string
		plan  *Plan
		want  []string // in the text
		not   []string
		stats Stats // Omitted, Guarded, Spans, Unplanned
	}{
		{name: "nothing", plan: planOf(nil), want: []string{"_ti_r(_ti_t,_ti_value,&a[i]"}},
		{name: "omitted", plan: planOf(map[site.Key]Fate{px: {Omit: true}, all: {Omit: true}, write: {Omit: true}, py: {Omit: true}}),
			not: []string{"&p.x", "&p.y", "&a[_ti_"}, stats: Stats{Omitted: 4}},
		{name: "guarded", plan: planOf(map[site.Key]Fate{elem: {Flag: "_ti_a1"}, px: {Flag: "_ti_h1", Once: true}, py: {Flag: "_ti_a1", For: []site.Key{px, all}}}, loop),
			want:  []string{"_ti_rf(_ti_t,_ti_value,_ti_a1,&a[i]", "_ti_ro(_ti_t,_ti_value,&_ti_h1,&", "_ti_wf(_ti_t,_ti_value,_ti_a1,&", "/*line :9:8*/_ti_span(_ti_t,_ti_value,a, 0, _ti_min(n, len(a)), 0, &_ti_sites.idx[", `elements in a loop\tread of p.x at p.go:9:15\n`, `field y of point\tread of p.x at p.go:9:15\tread of a at p.go:12:20\n`},
			stats: Stats{Guarded: 3, Spans: 1}},
		{name: "longer", plan: planOf(map[site.Key]Fate{px: {Len: 16}, write: {Len: 16, Back: 8, For: []site.Key{py}}}),
			want: []string{"_ti_rxl(_ti_t,_ti_value,0,16,&p.x", "_ti_wx(_ti_t,8,16,&p.x", `write of p.y at p.go:10:3`}},
		{name: "too long for the filter", plan: planOf(map[site.Key]Fate{px: {Len: 64}}), want: []string{"_ti_rx(_ti_t,0,64,&p.x"}},
		{name: "gathered", plan: planOf(map[site.Key]Fate{elem: {Flag: "_ti_g1", Gather: true}, py: {Flag: "_ti_g2", Gather: true}},
			Insert{File: "p.go", Line: 8, Col: 2, Gathers: []string{"_ti_g1", "_ti_g2"}}),
			want: []string{"var _ti_g1, _ti_g2 _ti_gather; defer func() { /*line :9:8*/_ti_gend(_ti_t,_ti_value,_ti_gtake,&_ti_g1,0,&_ti_sites.idx[", "_ti_rg(_ti_t,_ti_value,_ti_gmiss,&_ti_g1,&a[i]",
				"_ti_wg(_ti_t,_ti_value,_ti_gmissw,&_ti_g2,&", "; /*line :9:8*/_ti_gend(_ti_t,_ti_value,_ti_gtake,&_ti_g1,0,&_ti_sites.idx["}, stats: Stats{Guarded: 2}},
		{name: "a flag without its code", plan: planOf(map[site.Key]Fate{elem: {Flag: "_ti_a1"}}), want: []string{"_ti_r(_ti_t,_ti_value,&a[i]"}, stats: Stats{Unplanned: 1}},
		{name: "a flag outside its loop", plan: planOf(map[site.Key]Fate{all: {Flag: "_ti_a1"}}, loop), not: []string{"_ti_rf"}, stats: Stats{Spans: 1, Unplanned: 1}},
		{name: "two in front of one loop", plan: planOf(map[site.Key]Fate{elem: {Flag: "_ti_a1"}, px: {Flag: "_ti_h2", Once: true}}, loop,
			Insert{File: "p.go", Line: 8, Col: 2, Flags: []string{"_ti_h2"}, Text: "_ti_h2 := false"}),
			want: []string{"_ti_rf(_ti_t,_ti_value,_ti_a1,&a[i]", "_ti_ro(_ti_t,_ti_value,&_ti_h2,&", "_ti_h2 := false; _ = _ti_h2"}, stats: Stats{Guarded: 2, Spans: 1}},
		{name: "what is not there", plan: planOf(map[site.Key]Fate{{File: "p.go", Line: 1, Col: 1, Expr: "q"}: {Omit: true}}, Insert{File: "p.go", Line: 1, Col: 1, Text: "x()"}), stats: Stats{Unplanned: 2}},
		{name: "another text", plan: &Plan{Files: map[string]string{"p.go": "0"}, Fates: map[site.Key]Fate{px: {Omit: true}}, Inserts: []Insert{loop}},
			not: []string{"_ti_a1", "_ti_span"}, stats: Stats{Unplanned: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := c.plan.Encode()
			if err != nil {
				t.Fatal(err)
			}
			plan, err := DecodePlan(text)
			if err != nil {
				t.Fatal(err)
			}
			if again, _ := plan.Encode(); string(again) != string(text) || len(plan.Fates) != len(c.plan.Fates) || !reflect.DeepEqual(plan.Inserts, c.plan.Inserts) {
				t.Errorf("the plan's text does not give it back: %s", text)
			}
			r := splicePlanned(t, plan)
			config := checkText(t, plannedSource)
			config.Plan = plan
			if n, err := Unplanned(config); err != nil || n != c.stats.Unplanned {
				t.Errorf("%d decisions cannot be carried out (%v), want %d", n, err, c.stats.Unplanned)
			}
			got := typedName.ReplaceAllString(string(r.Files[0]), "$1(")
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("no %q in\n%s", w, got)
				}
			}
			for _, w := range c.not {
				if strings.Contains(got, w) {
					t.Errorf("%q in\n%s", w, got)
				}
			}
			s := Stats{Omitted: r.Stats.Omitted, Guarded: r.Stats.Guarded, Spans: r.Stats.Spans, Unplanned: r.Stats.Unplanned}
			if s != c.stats {
				t.Errorf("stats %+v, want %+v", s, c.stats)
			}
			dir := t.TempDir()
			name := filepath.Join(dir, "p.go")
			gen := filepath.Join(dir, "gen.go")
			if err := os.WriteFile(name, r.Files[0], 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(gen, r.Generated, 0o666); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("go", "tool", "compile", "-p=main", "-o", filepath.Join(dir, "p.o"), name, gen).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s\n%s", err, out, got)
			}
		})
	}
}

// TestPlanRanges leaves out checks of the elements that builtin calls access: both checks,
// or one of them.
func TestPlanRanges(t *testing.T) {
	const src = "package main\n\nfunc f(a, b []int) []int { copy(a, b); return append(a, b...) }\nfunc g(a []byte, b string) []byte { copy(a, b); return append(a, b...) }\n"
	copied, appended := site.Key{File: "p.go", Line: 3, Col: 33, Expr: "a", Write: true, Elems: true}, site.Key{File: "p.go", Line: 3, Col: 47, Expr: "append(a, b...)", Write: true, Elems: true}
	copySource, appendSource := site.Key{File: "p.go", Line: 3, Col: 36, Expr: "b", Elems: true}, site.Key{File: "p.go", Line: 3, Col: 57, Expr: "b", Elems: true}
	at := func(k site.Key, col int) site.Key { k.Line, k.Col = 4, col; return k }
	textCopied, textAppended := at(copied, 42), at(appended, 56)
	textCopySource, textAppendSource := at(copySource, 45), at(appendSource, 66)
	for _, c := range []struct {
		omit []site.Key
		want string
	}{
		{[]site.Key{textCopied, textAppended}, "_ti_copys(_ti_t,_ti_value,nil,&_ti_sites.idx[4],a, b); return _ti_appends(_ti_t,_ti_value,nil,&_ti_sites.idx[5],a, b)"},
		{[]site.Key{textCopySource, textAppendSource}, "_ti_copys(_ti_t,_ti_value,&_ti_sites.idx[4],nil,a, b); return _ti_appends(_ti_t,_ti_value,&_ti_sites.idx[5],nil,a, b)"},
		{nil, "_ti_copy(_ti_t,_ti_value,&_ti_sites.idx[0],&_ti_sites.idx[1],a, b); return _ti_append(_ti_t,_ti_value,&_ti_sites.idx[2],&_ti_sites.idx[3],a, b)"},
		{[]site.Key{copied, appended}, "_ti_copy(_ti_t,_ti_value,nil,&_ti_sites.idx[0],a, b); return _ti_append(_ti_t,_ti_value,nil,&_ti_sites.idx[1],a, b)"},
		{[]site.Key{copySource, appendSource}, "_ti_copy(_ti_t,_ti_value,&_ti_sites.idx[0],nil,a, b); return _ti_append(_ti_t,_ti_value,&_ti_sites.idx[1],nil,a, b)"},
		{[]site.Key{copied, copySource}, "copy(a, b); return _ti_append(_ti_t,_ti_value,&_ti_sites.idx[0],&_ti_sites.idx[1],a, b)"},
		{[]site.Key{appended, appendSource}, "_ti_copy(_ti_t,_ti_value,&_ti_sites.idx[0],&_ti_sites.idx[1],a, b); return append(a, b...)"},
	} {
		plan := &Plan{Files: map[string]string{"p.go": site.Digest([]byte(src))}, Fates: map[site.Key]Fate{}}
		for _, k := range c.omit {
			plan.Fates[k] = Fate{Omit: true}
		}
		r := spliceText(t, src, plan)
		if got := string(r.Files[0]); !strings.Contains(got, c.want) || r.Stats.Unplanned != 0 {
			t.Errorf("without %v: no %q, or a key that fits nothing (%d), in\n%s", c.omit, c.want, r.Stats.Unplanned, got)
		}
	}
}

// splicePlanned rewrites plannedSource by a plan.
func splicePlanned(t *testing.T, plan *Plan) *Result { return spliceText(t, plannedSource, plan) }

// spliceText rewrites a file by a plan.
func spliceText(t *testing.T, src string, plan *Plan) *Result {
	t.Helper()
	c := checkText(t, src)
	c.Plan = plan
	return splice(t, c)
}

// checkText type-checks a main package of one file, p.go.
func checkText(t *testing.T, src string) Config {
	t.Helper()
	source, err := golist.Text("main", "p.go", src)
	if err != nil {
		t.Fatal(err)
	}
	return Config{Source: source}
}

func splice(t *testing.T, c Config) *Result {
	t.Helper()
	r, err := Package(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
