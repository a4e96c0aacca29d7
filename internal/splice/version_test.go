package splice

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/internal/site"
)

const versionedSource = `package main

type grid struct {
	w     int
	cells []int
}

func (g *grid) index(i, j int) int { return i*g.w + j }
func (g *grid) at(i, j int) int    { return g.cells[g.index(i, j)] }

func (g *grid) add(i, j, v int) {
	// of three lines
	g.cells[g.index(i, j)] += v
}

func sum(g *grid, rows [][]int, n int) (s int) {
outer:
	for i := 0; i < n; i++ {
	inner:
		for j := 0; j < n; j++ {
			if j > i {
				continue outer
			}
			for k := range rows[j] {
				if k == 2 {
					continue inner
				}
				s += rows[j][k]
			}
			g.add(i, j, 1)
			s += g.at(i, j)
		}
	}
	return s
}

func main() {
	rows := [][]int{{1, 2}, {5}, {9, 10, 11, 12}}
	for n := 1; n < 4; n++ {
		println("sum", n, sum(&grid{4, make([]int, 16)}, rows, n))
	}
	defer func() { println("recovered", recover() != nil) }()
	sum(&grid{4, nil}, rows, 1)
}
`

// TestVersions runs a program whose loop nests are compiled twice. The outer version
// without checks runs only for n of 2.
func TestVersions(t *testing.T) {
	// place returns the position of the name at the end of a text that occurs once.
	place := func(text string) site.Pos {
		return placeIn(t, versionedSource, text, strings.LastIndexAny(text, ". \t")+1)
	}
	key := func(text string, elems bool) site.Key {
		p := place(text)
		return site.Key{File: p.File, Line: p.Line, Col: p.Col, Expr: text[strings.LastIndexAny(text, ". \t")+1:], Elems: elems}
	}
	call := func(text, decl string) Call {
		return Call{At: place(text), Func: place(decl)}
	}
	insert := func(loop, flag, cond string, calls ...Call) Insert {
		p := place(loop)
		return Insert{File: p.File, Line: p.Line, Col: p.Col, Flags: []string{flag}, Text: flag + " := " + cond, Calls: calls}
	}
	plan := &Plan{Files: map[string]string{"p.go": site.Digest([]byte(versionedSource))},
		Fates: map[site.Key]Fate{
			key("s += rows[j][k]", false):    {Flag: "_ti_a2"},
			key("s += rows[j]", false):       {Flag: "_ti_a1"},
			key("k := range rows[j]", false): {Flag: "_ti_a1"},
		},
		Inserts: []Insert{
			insert("outer:\n\tfor", "_ti_a1", "n == 2",
				call("\tg.add", "func (g *grid) add"), call("s += g.at", "func (g *grid) at"),
				call("return g.cells[g.index", "func (g *grid) index"), call("\tg.cells[g.index", "func (g *grid) index"),
				Call{At: site.Pos{File: "p.go", Line: 41, Col: 2}, Func: site.Pos{File: "p.go", Line: 99, Col: 1}}),
			insert("\t\t\tfor", "_ti_a2", "i == 1"),
		}}
	r := spliceText(t, versionedSource, plan)
	got := string(r.Files[0])
	counts(t, got, map[string]int{
		"if _ti_a1 {": 1, "if _ti_a2 {": 1, // not again in the outer slow version
		"_ti_f1_outer:": 1, "continue _ti_f1_outer": 1, "continue outer": 1, "_ti_f1_inner:": 1,
		"g._ti_c_add(i, j, 1)": 1, "g.add(i, j, 1)": 1,
		"func (g *grid) _ti_c_at(i, j int) int    { return g.cells[g._ti_c_index(i, j)] }": 1,
	})
	if r.Stats.Unplanned != 0 {
		t.Errorf("%d entries of the plan fit nothing", r.Stats.Unplanned)
	}
	dir := t.TempDir()
	plain := goRun(t, dir, "plain.go", versionedSource, nil)
	host(r)
	checked := goRun(t, dir, "p.go", string(r.Files[0]), r.Generated)
	if a, b := results(plain), results(checked); a != b {
		t.Errorf("prints\n%swant\n%s\n%s", b, a, got)
	}
	// With n of 2 the program checks nothing of the grid. The remaining checks are of an
	// access in one version of the inner loop.
	parts := strings.Split(checked, "sum ")
	if c := strings.Count(parts[1], "g.cells[g.index(i, j)]"); c != 0 {
		t.Errorf("n = 2: %d checks of cells in\n%s", c, parts[1])
	}
	if c := strings.Count(parts[1], "rows[j][k]"); c != 2 { // i = 0; not with i = 1
		t.Errorf("n = 2: %d checks of rows[j][k], want 2, in\n%s", c, parts[1])
	}
	if strings.Count(parts[0], "g.cells[g.index(i, j)]") == 0 || strings.Count(parts[2], "rows[j][k]") == 0 {
		t.Errorf("nothing is checked where the flag is not set:\n%s", checked)
	}
}

// placeIn returns the position of a byte of a text that occurs in the source.
func placeIn(t *testing.T, src, text string, at int) site.Pos {
	t.Helper()
	before, _, ok := strings.Cut(src, text)
	if !ok {
		t.Fatalf("no %q", text)
	}
	before += text[:at]
	return site.Pos{File: "p.go", Line: strings.Count(before, "\n") + 1, Col: len(before) - strings.LastIndexByte(before, '\n')}
}

// counts tests how often texts occur in a rewritten source.
func counts(t *testing.T, got string, want map[string]int) {
	t.Helper()
	for text, n := range want {
		if c := strings.Count(got, text); c != n {
			t.Errorf("%d times %q, want %d, in\n%s", c, text, n, got)
		}
	}
}

// results returns the lines that are the program's own output.
func results(out string) string {
	var b strings.Builder
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "sum ") || strings.HasPrefix(line, "recovered ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// goRun compiles and runs a program of one file, with a generated file unless that is nil.
func goRun(t *testing.T, dir, name, text string, generated []byte) string {
	t.Helper()
	dir = filepath.Join(dir, strings.TrimSuffix(name, ".go"))
	files := []string{"run", filepath.Join(dir, name)}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if generated != nil {
		files = append(files, filepath.Join(dir, "gen.go"))
		if err := os.WriteFile(files[2], generated, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("go", files...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, text)
	}
	return string(out)
}
