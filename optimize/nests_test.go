package optimize_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"taskinstr/internal/splice"
	"taskinstr/optimize"
	"taskinstr/optimize/passtest"
)

var (
	nestCount = flag.Int("optimize.nests", 40, "how many random nests TestNests compares")
	nestDir   = flag.String("optimize.nestdir", "", "build them in this directory and leave them there")
	nestSeed  = flag.Uint64("optimize.seed", 1, "which ones")
	nestPass  = flag.String("optimize.pass", "", "compare this pass alone")
)

// TestNests runs random loop nests with all checks in place, and with the passes on
// loops. In each call the checks must cover the same bytes, also in calls that panic.
func TestNests(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	dir := t.TempDir()
	harness, err := os.ReadFile("testdata/nests/harness.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	src := nestsSource(rand.New(rand.NewPCG(*nestSeed, 2)), *nestCount)
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.25\n", "harness.go": string(harness), "nests.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := runNests(t, dir, "none", 0)
	var guards []string // the passes on loops
	for _, p := range optimize.Passes {
		if p.Guards {
			guards = append(guards, p.Name)
		}
	}
	sets := append(guards, strings.Join(guards, ","))
	if *nestPass != "" {
		sets = []string{*nestPass}
	}
	for _, passes := range sets {
		got := runNests(t, dir, passes, *nestCount/10)
		bad := 0
		for i := range want {
			if i < len(got) && got[i] == want[i] {
				continue
			}
			if bad++; bad > 3 {
				t.Fatalf("%s: and more", passes)
			}
			nest, _, _ := strings.Cut(want[i], " ")
			_, text, _ := strings.Cut(src, "func "+nest+"(")
			text, _, _ = strings.Cut(text, "\n}\n")
			t.Errorf("passes %s, seed %d:\n%s\nwith all checks\n%s\nfunc %s(%s\n}", passes, *nestSeed, got[min(i, len(got)-1)], want[i], nest, text)
		}
	}
}

// accessorCall matches calls of accessors that make their own checks.
var accessorCall = regexp.MustCompile(`binary\.(Little|Big)Endian\.(Put)?Uint(16|32|64)\(`)

// runNests builds the program in dir with the passes and a runtime that records checks,
// and returns the lines that it prints. At least so many accesses must be guarded.
func runNests(t *testing.T, dir, passes string, guarded int) []string {
	t.Helper()
	plan := passtest.Plan(t, passtest.Analyze(t, dir, "."), passes)
	prog := plan.Analysis.Program()
	pkg := prog.Initial[0]
	c := splice.Config{Source: prog.Source(pkg), Plan: plan.Package("m")}
	r, err := splice.Package(c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Stats.Guarded < guarded {
		t.Errorf("%s: only %d accesses of %d nests are guarded", passes, r.Stats.Guarded, *nestCount)
	}
	t.Logf("%s in %v: %d guarded, %d spans, %d checks", passes, plan.Stats.Time, r.Stats.Guarded, r.Stats.Spans, r.Stats.Checks)
	out := t.TempDir()
	if *nestDir != "" {
		out = filepath.Join(*nestDir, passes)
		if err := os.MkdirAll(out, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i, f := range pkg.Syntax {
		text := string(c.Src[i])
		if strings.HasSuffix(prog.Fset.File(f.FileStart).Name(), "nests.go") {
			text = accessorCall.ReplaceAllString(string(r.Files[i]), "checked$1$2$3(")
		} else {
			// The harness itself is not instrumented, but its file, the first one, holds
			// the site table.
			_, table, ok := strings.Cut(string(r.Files[i]), "var _ti_sites = ")
			if ok {
				table, _, _ = strings.Cut(table, "\n")
				text += "\nvar _ti_sites = " + table + "\n"
			}
		}
		write(filepath.Base(prog.Fset.File(f.FileStart).Name()), text)
	}
	generated := string(r.Generated)
	generated = regexp.MustCompile(`(?m)^//go:(noescape|linkname).*\n`).ReplaceAllString(generated, "")
	bodyless := regexp.MustCompile(`(?m)^(func _ti_(?:begin|enter|check|check1|checkn)\(.*\)(?: \*_ti_task)?)$`)
	generated = bodyless.ReplaceAllStringFunc(generated, func(f string) string {
		if strings.HasSuffix(f, "*_ti_task") {
			return f + " { return &_ti_task{filter: new([512]uint64)} }"
		}
		return f + " { record(unsafe.Add(p, -(int(kind)>>8)), n, kind&0xff) }" // see the head of helpers.go
	})
	rows := regexp.MustCompile(`(?m)^(func _ti_checks\(.*\))$`)
	generated = rows.ReplaceAllString(generated, "$1 { for p = unsafe.Add(p, -(int(kind)>>8)); count > 0; count-- { record(p, n, kind&0xff); p = unsafe.Add(p, stride) } }")
	// The nests call no method wrappers: helpers for these do nothing.
	generated = regexp.MustCompile(`(?m)^(func _ti_\w+\([^{\n]*\)) (bool|unsafe\.Pointer)$`).ReplaceAllString(generated, "$1 (r $2) { return }")
	generated = regexp.MustCompile(`(?m)^(func _ti_\w+\([^{\n]*\))$`).ReplaceAllString(generated, "$1 {}")
	write("generated.go", generated)
	write("go.mod", "module m\n\ngo 1.25\n")
	build := exec.Command("go", "build", "-o", "nests", ".")
	build.Dir = out
	build.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("passes %s: %v\n%s", passes, err, text)
	}
	run := exec.Command(filepath.Join(out, "nests"))
	text, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("passes %s: %v", passes, err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// A nestWriter writes random nests.
type nestWriter struct {
	strings.Builder
	r      *rand.Rand
	iters  []string // in scope
	next   int
	fields bool // most accesses are to fields of elements
	calls  bool // many accesses are calls of accessors
	bytes  bool // many accesses are calls of accessors of encoding/binary
	tidy   bool // there are few statements of other kinds
	simple bool // subscripts are iterators
	idioms bool // many loops have the forms of nests_idioms_test.go
	// counting is the number of loops around that count in their body.
	counting int
}

func nestsSource(r *rand.Rand, count int) string {
	w := &nestWriter{r: r}
	const params = "(a, b []int32, m [][]int32, g *grid, c []body, p []*body, n, k, s int, d []byte)"
	w.WriteString("package main\n\nimport \"encoding/binary\"\n\nvar _ = binary.LittleEndian\n\ntype nest func" + params + " int32\n\nvar nests = []nest{")
	for i := range count {
		fmt.Fprintf(w, "nest%d, ", i)
	}
	w.WriteString("}\n" + accessors + byteAccessors + "\n")
	for i := range count {
		w.iters, w.next = nil, 0
		fmt.Fprintf(w, "func nest%d%s (sum int32) {\n", i, params)
		w.calls = r.IntN(2) == 0
		w.tidy = w.calls && r.IntN(2) == 0
		w.fields = r.IntN(2) == 0
		w.simple = w.fields && r.IntN(3) > 0
		w.idioms = r.IntN(2) == 0
		w.bytes = r.IntN(3) == 0
		w.loop(1)
		if w.bytes {
			w.numbers(1)
		}
		if r.IntN(3) == 0 {
			w.loop(1)
		}
		if r.IntN(2) == 0 {
			w.row("\t")
		}
		w.WriteString("\treturn sum\n}\n\n")
	}
	return w.String()
}

// accessors are functions that nests call. The pass affine can look into some of them, in
// some nests.
const accessors = `
func (g *grid) index(i, j int) int { return i*g.n + j }

func (g *grid) at(i, j int) int32 { return g.cell[i*g.n+j] }

func (g *grid) set(i, j int, v int32) { g.cell[i*g.n+j] = v }

func (g *grid) add(i, j int, v int32) {
	k := g.index(i, j)
	if narrow {
		g.cell[0], i = v, k
	} else if !narrow {
		g.cell[k] += v
	}
}

const narrow = 4 < 3

func (g *grid) width() int { return g.n }

func (g *grid) length() int { return len(g.cell) }

func (g *grid) body(i int) *body { return g.ptrs[i] }

func (g *grid) tile(i, j int) *body { return &g.rows[i][j] }

func (g *grid) row(i int) []body { return g.rows[i] }

func (g *grid) deep(i, j int) int32 { return g.at(i, j) + g.body(i).get() }

func (g grid) value(i int) int32 { return g.cell[i] }

func (g grid) both(i, j int) int32 { return g.value(i) + g.at(i, j) }

func (g *grid) relink(i int, b *body) { g.ptrs[i] = b }

func (g *grid) widen() { g.n = g.n%5 + 1 }

func (b *body) get() int32 { return b.x }

func (b *body) set(k int, v int32) { b.pos[k] = v }

func (b *body) move() { b.x, b.y = b.y, b.z }

func (b body) sum() int32 { return b.x + b.in.v }

func get(xs []int32, i int) int32 { return xs[i] }

func put(xs []int32, i int, v int32) { xs[i] = v }

func swap(xs []int32, i, j int) { xs[i], xs[j] = xs[j], xs[i] }

func near(xs []int32, i int) int32 {
	i0 := i + 1
	return xs[i0] - xs[i]
}

func some(xs []int32, i int) bool { return i > 1 && xs[i] > 2 }

func both(xs, ys []int32, i int) bool { return xs[i] > 3 && ys[i] > 2 }

func clamped(xs []int32, i int) int32 {
	if i < 0 || i >= len(xs) {
		return 0
	}
	return xs[i]
}

func ratio(xs []int32, i int) int32 { return xs[i] / (xs[i+1] - 1) }

func twice(i int) int { return 2 * i }

func next(xs []int32, i int) int32 {
	xs[i]++
	return xs[i]
}

func sumTo(xs []int32, i int) int32 {
	if i < 0 {
		return 0
	}
	return xs[i] + sumTo(xs, i-1)
}
`

// operand writes an argument of an accessor.
func (w *nestWriter) operand() string {
	if len(w.iters) > 0 && (w.tidy || w.r.IntN(2) == 0) {
		i := w.one(append([]string{"1"}, w.iters...)...)
		return w.one(i, i, i, i+"+1", "k", w.one(w.iters...))
	}
	return w.index()
}

// value writes a call that has a value.
func (w *nestWriter) value() string {
	i, j := w.operand(), w.operand()
	xs := w.one("a", "b", "m["+w.one(append([]string{"k", "2"}, w.iters...)...)+"]", "g.cell")
	most := 16
	if w.tidy {
		most = 11
	}
	switch w.r.IntN(most) {
	case 0, 1, 2, 3:
		return "g.at(" + i + ", " + j + ")"
	case 4:
		return "g.deep(" + i + ", " + j + ")"
	case 5:
		if w.r.IntN(2) == 0 {
			return "grids[1].both(" + i + ", " + j + ")"
		}
		return w.one("g.value("+i+")", "g.both("+i+", "+j+")")
	case 6:
		return w.one("g.body("+i+")", "g.tile("+i+", "+j+")", "c["+i+"]", "p["+i+"]") + w.one(".get()", ".get()", ".sum()", ".y", ".in.u")
	case 7:
		return "g.row(" + i + ")[" + j + "]" + w.one(".x", ".pos[1]", ".get()")
	case 8, 9:
		return "get(" + xs + ", " + i + ")"
	case 10:
		return "near(" + xs + ", " + i + ")"
	case 11:
		return w.one("clamped", "ratio", "next", "sumTo", "next") + "(" + xs + ", " + i + ")"
	case 12:
		return "g.cell[g.index(" + i + ", " + j + ")]"
	case 13:
		return xs + "[twice(" + i + ")]"
	}
	return "get(" + xs + ", g.index(" + i + ", " + j + "))"
}

// act writes a call that has an effect.
func (w *nestWriter) act() string {
	i, j := w.operand(), w.operand()
	v := w.one("1", "sum", w.value(), w.place())
	most := 12
	if w.tidy {
		v = w.one("1", "sum", "sum", w.value())
		most = 7
	}
	switch w.r.IntN(most) {
	case 0, 1, 2:
		return "g.set(" + i + ", " + j + ", " + v + ")"
	case 3, 4:
		return "g.add(" + i + ", " + j + ", " + v + ")"
	case 5:
		return w.one("c["+i+"]", "p["+i+"]", "g.tile("+i+", "+j+")") + w.one(".move()", ".set(1, "+v+")", ".set("+j+", "+v+")")
	case 6:
		return "swap(" + w.one("a", "b") + ", " + i + ", " + j + ")"
	case 7:
		return w.one("g.widen()", "g.relink("+i+", p["+j+"])", "g.relink("+i+", nil)", "g.body("+i+").move()")
	case 8:
		return "if " + w.one("some(a, ", "both(a, b, ") + i + ") { sum += " + v + " }"
	}
	return "put(" + w.one("a", "b", "m["+i+"]", "g.cell") + ", " + i + ", " + v + ")"
}

func (w *nestWriter) one(list ...string) string { return list[w.r.IntN(len(list))] }

// index writes an expression, most often an affine one.
func (w *nestWriter) index() string {
	leaf := func() string {
		if len(w.iters) > 0 && w.r.IntN(4) > 0 {
			return w.one(w.iters...)
		}
		return w.one("n", "k", "s", "1", "2", "0")
	}
	switch w.r.IntN(12) {
	case 0, 1, 2, 3:
		return leaf()
	case 4:
		return leaf() + "+" + w.one("1", "2", "k", leaf())
	case 5:
		return w.one(append([]string{"n", "k", "s"}, w.iters...)...) + "-" + w.one("1", "k", leaf())
	case 6:
		return "2*" + leaf() + "+" + w.one("0", "1", leaf())
	case 7:
		return leaf() + "*n+" + leaf()
	case 8:
		return "5*" + leaf() + "+" + leaf()
	case 9:
		return "n-1-" + leaf()
	case 10:
		return w.one("s", "k")
	}
	return w.one("int(a["+leaf()+"])", "s&3", leaf()+"%3", "len(b)-1")
}

// body writes an element of a struct type, or a pointer to one.
func (w *nestWriter) body() string {
	i := w.index()
	if len(w.iters) > 0 && (w.simple || w.r.IntN(4) > 0) {
		i = w.one(w.iters...)
	}
	return w.one("c["+i+"]", "c["+i+"]", "p["+i+"]", "p["+i+"]", "g.rows["+i+"]["+w.index()+"]", "g.ptrs["+i+"]")
}

// field writes a selector of a part of a body.
func (w *nestWriter) field() string {
	switch w.r.IntN(12) {
	case 0:
		i := w.one(append([]string{"k", "s"}, w.iters...)...)
		return ".pos[" + w.one(i, i, "2-"+i, i+"-1") + "]"
	case 1, 2:
		return ".pos[" + w.one("0", "1", "2") + "]"
	case 3:
		return ".list[" + w.index() + "]"
	case 4, 5:
		return w.one(".in.u", ".in.v", ".tail.w", ".w")
	}
	return w.one(".x", ".y", ".z")
}

// copied writes an assignment of a struct or array.
func (w *nestWriter) copied() string {
	x, y := w.body(), w.body()
	deref := func(x string) string {
		if strings.HasPrefix(x, "p") || strings.HasPrefix(x, "g.p") {
			return "*" + x
		}
		return x
	}
	switch w.r.IntN(12) {
	case 0, 1:
		return deref(x) + " = " + deref(y)
	case 2, 3:
		return x + ".pos = " + y + ".pos"
	case 4:
		return x + ".in = " + y + ".in"
	case 5:
		return x + ".in = pair{1, sum}"
	case 6:
		return "sum += (" + deref(x) + ").y"
	case 7, 8, 9, 10:
		i := w.one(append([]string{"k", "s"}, w.iters...)...)
		return "p[" + i + "] = " + w.one("nil", "&c[0]", "&c["+i+"]", "p[s]") + "; p[" + i + "].x++"
	}
	return x + ".list = " + y + ".list"
}

func (w *nestWriter) place() string {
	if w.simple || w.fields && w.r.IntN(4) > 0 {
		return w.body() + w.field()
	}
	switch w.r.IntN(9) {
	case 0, 1, 2:
		return "a[" + w.index() + "]"
	case 3:
		return "b[" + w.index() + "]"
	case 4, 5:
		return "m[" + w.index() + "][" + w.index() + "]"
	case 6:
		return "g.cell[" + w.index() + "]"
	case 7:
		if len(w.iters) > 0 {
			i := w.one(w.iters...)
			return "g.cell[" + i + "*g.n+" + w.one(w.iters...) + "]"
		}
	}
	return w.one("a[s]", "g.cell[k+1]")
}

func (w *nestWriter) condition() string {
	i := w.index()
	switch w.r.IntN(7) {
	case 0:
		return i + " < " + w.index()
	case 1:
		return i + " != " + w.one("1", "2", "k")
	case 2:
		return w.one("n", "k", i) + "%2 == 0"
	case 3:
		return w.place() + " > 3"
	case 4:
		return i + " > 0 && " + w.index() + " <= n"
	case 5:
		return i + " == s || " + w.index() + " < k"
	}
	return i + " >= k && " + w.place() + " != 1"
}

func (w *nestWriter) loop(depth int) {
	if w.idioms && w.r.IntN(2) == 0 {
		w.idiom(depth)
		return
	}
	w.next++
	i := fmt.Sprintf("i%d", w.next)
	bound := func() string {
		if w.tidy && w.r.IntN(2) == 0 {
			return w.one("n", "k", "s", "3")
		}
		if w.calls && w.r.IntN(4) == 0 {
			return w.one("g.width()", "g.width()", "g.length()", "twice(k)", "g.index(1, 0)")
		}
		return w.one("n", "n", "s", "k", "5", "len(a)", "g.n", "n-1", append([]string{"min(n, 6)"}, w.iters...)[w.r.IntN(1+len(w.iters))])
	}
	in := strings.Repeat("\t", depth)
	used := true
	induction := ""
	if depth == 1 && w.r.IntN(5) == 0 {
		induction = fmt.Sprintf("q%d", w.next)
		fmt.Fprintf(w, "\t%s := %s\n", induction, w.one("0", "k", "2"))
	}
	form := w.r.IntN(11)
	if w.tidy {
		form %= 7
	}
	if w.fields && w.r.IntN(6) == 0 {
		form = 11
	}
	switch form {
	case 0, 1, 2:
		fmt.Fprintf(w, "%sfor %s := %s; %s < %s; %s++ {\n", in, i, w.one("0", "0", "1", "k", "max(k, 1)"), i, bound(), i)
	case 3:
		fmt.Fprintf(w, "%sfor %s := %s; %s <= %s; %s += %s {\n", in, i, w.one("0", "1", "k"), i, bound(), i, w.one("2", "3", "max(k, 1)", "(n*n + 1)"))
	case 4:
		fmt.Fprintf(w, "%sfor %s := %s-1; %s >= %s; %s -= %s {\n", in, i, bound(), i, w.one("0", "1", "k"), i, w.one("1", "1", "2"))
	case 5, 6:
		fmt.Fprintf(w, "%sfor %s := range %s {\n", in, i, bound())
	case 7:
		fmt.Fprintf(w, "%sfor %s, v := range %s {\n%s\tsum += v\n", in, i, w.one("a", "b", "g.cell", "m["+w.index()+"]"), in)
	case 8:
		fmt.Fprintf(w, "%sfor %s := range m {\n", in, i)
	case 9:
		fmt.Fprintf(w, "%sfor %s, row := range m {\n%s\tif len(row) > %s { row[%s]++ }\n", in, i, in, i, i)
	case 10:
		fmt.Fprintf(w, "%sfor range %s {\n", in, bound())
		used = false
	case 11:
		over := w.one("c", "p", "p", "g.ptrs", "g.rows["+w.index()+"]")
		fmt.Fprintf(w, "%sfor %s, v := range %s {\n", in, i, over)
		switch {
		case over == "c" || strings.HasPrefix(over, "g.r") || w.r.IntN(2) == 0:
			fmt.Fprintf(w, "%s\tsum += v%s\n", in, w.field())
		case w.r.IntN(5) == 0:
			fmt.Fprintf(w, "%s\tif v != nil {\n%s\t\tv%s++\n%s\t}\n", in, in, w.field(), in)
		default:
			fmt.Fprintf(w, "%s\tv%s++\n", in, w.field())
		}
	}
	if used {
		fmt.Fprintf(w, "%s\t_ = %s\n", in, i)
		w.iters = append(w.iters, i)
	}
	if induction != "" {
		w.iters = append(w.iters, induction)
	}
	for range 1 + w.r.IntN(3) {
		w.statement(depth + 1)
	}
	if induction != "" {
		fmt.Fprintf(w, "%s\t%s += %s\n", in, induction, w.one("1", "2", "3"))
		if w.r.IntN(2) == 0 {
			w.statement(depth + 1)
		}
		w.iters = w.iters[:len(w.iters)-1]
	}
	if used {
		w.iters = w.iters[:len(w.iters)-1]
	}
	fmt.Fprintf(w, "%s}\n", in)
}

func (w *nestWriter) statement(depth int) {
	const deepest = 4
	in := strings.Repeat("\t", depth)
	if w.tidy && w.r.IntN(4) == 0 && depth < deepest {
		w.loop(depth)
		return
	}
	if w.tidy && w.r.IntN(5) == 0 && depth < deepest {
		fmt.Fprintf(w, "%sif %s {\n", in, w.one("k > 1", w.operand()+" < "+w.operand(), w.value()+" > 4", "both(a, b, "+w.operand()+")"))
		w.statement(depth + 1)
		fmt.Fprintf(w, "%s}\n", in)
		return
	}
	if w.tidy || w.calls && w.r.IntN(2) == 0 {
		if w.r.IntN(2) == 0 {
			fmt.Fprintf(w, "%s%s\n", in, w.act())
		} else {
			fmt.Fprintf(w, "%ssum += %s\n", in, w.value())
		}
		return
	}
	if w.fields {
		form := w.r.IntN(12)
		if w.simple && form > 3 {
			form = 3 + w.r.IntN(4)
		}
		switch form {
		case 0:
			fmt.Fprintf(w, "%s%s\n", in, w.copied())
			return
		case 1, 2:
			// A pointer to an element, or an element that is a pointer.
			w.next++
			v, x, f := fmt.Sprintf("t%d", w.next), w.body(), w.field()
			if strings.HasPrefix(x, "c") || strings.HasPrefix(x, "g.r") {
				x = "&" + x
			}
			if f == ".x" && w.r.IntN(2) == 0 {
				x, f = "&"+strings.TrimPrefix(x, "&")+".in", ".u"
			}
			fmt.Fprintf(w, "%s{\n%s\t%s := %s\n", in, in, v, x)
			fmt.Fprintf(w, "%s\t%s%s += %s\n", in, v, f, w.place())
			if w.r.IntN(2) == 0 && depth < deepest {
				fmt.Fprintf(w, "%s\tfor j := 0; j < n; j++ {\n%s\t\t%s%s -= %s\n%s\t}\n", in, in, v, f, w.place(), in)
			}
			if w.r.IntN(8) == 0 {
				fmt.Fprintf(w, "%s\t%s = %s\n%s\t%s%s = 2\n", in, v, v, in, v, f)
			}
			fmt.Fprintf(w, "%s}\n", in)
			return
		case 3:
			// Neighbouring fields.
			x := w.body()
			fmt.Fprintf(w, "%s%s.x, %s.y, %s.z = %s.y, %s.z, 1\n", in, x, x, x, x, x)
			return
		case 4:
			fmt.Fprintf(w, "%s%s += %s\n", in, w.place(), w.place())
			return
		case 5:
			fmt.Fprintf(w, "%ssum += %s * %s\n", in, w.place(), w.place())
			return
		case 6:
			if depth < deepest {
				w.loop(depth)
				return
			}
		}
	}
	switch x := w.r.IntN(20); {
	case x < 6 && depth < deepest:
		w.loop(depth)
	case x < 8 && depth < deepest:
		fmt.Fprintf(w, "%sif %s {\n", in, w.condition())
		w.statement(depth + 1)
		if w.r.IntN(3) == 0 {
			fmt.Fprintf(w, "%s} else {\n", in)
			w.statement(depth + 1)
		}
		fmt.Fprintf(w, "%s}\n", in)
	case x == 8 && w.counting == 0:
		fmt.Fprintf(w, "%sif %s {\n%s\tcontinue\n%s}\n", in, w.condition(), in, in)
	case x == 9 && w.r.IntN(2) == 0:
		fmt.Fprintf(w, "%sif %s {\n%s\tbreak\n%s}\n", in, w.condition(), in, in)
	case x == 10 && w.r.IntN(3) == 0:
		fmt.Fprintf(w, "%sif %s {\n%s\treturn\n%s}\n", in, w.condition(), in, in)
	case x == 11 && w.r.IntN(3) == 0:
		fmt.Fprintf(w, "%s%s /= %s\n", in, w.place(), w.place())
	case x == 12:
		w.next++
		v := fmt.Sprintf("t%d", w.next)
		fmt.Fprintf(w, "%s{\n%s\t%s := %s\n%s\ta[%s] += b[%s]\n%s}\n", in, in, v, w.index(), in, v, v, in)
	case x == 13 && w.r.IntN(2) == 0:
		w.next++
		v := fmt.Sprintf("t%d", w.next)
		fmt.Fprintf(w, "%s{\n%s\t%s := m[%s]\n%s\t%s[%s] = 1\n%s}\n", in, in, v, w.index(), in, v, w.index(), in)
	case x == 14 && w.r.IntN(4) == 0:
		fmt.Fprintf(w, "%s%s\n", in, w.one("a = b", "n--", "s = k", "m[0], m[1] = m[1], m[0]", "g.n ^= 1", "g.cell = b"))
	case x < 17:
		fmt.Fprintf(w, "%s%s %s %s\n", in, w.place(), w.one("=", "+=", "-="), w.one("1", w.place()))
	case x == 17:
		w.row(in)
	default:
		fmt.Fprintf(w, "%ssum += %s\n", in, w.place())
	}
}

// row writes statements that access neighbouring elements.
func (w *nestWriter) row(in string) {
	at := w.one(append([]string{"0", "k", "s", "n"}, w.iters...)...)
	base := w.one("a", "b", "g.cell", "m["+w.index()+"]")
	elem := func() string { return fmt.Sprintf("%s[%s+%d]", base, at, w.r.IntN(5)) }
	for range 2 + w.r.IntN(4) {
		switch w.r.IntN(12) {
		case 0:
			fmt.Fprintf(w, "%s%s\n", in, w.one("k ^= 1", "s = k", "a = b", "n -= 2", "g.n ^= 1", "m[0], m[1] = m[1], m[0]", "sum /= a[s]"))
		case 1, 2:
			fmt.Fprintf(w, "%ssum += %s + %s*%s\n", in, elem(), elem(), elem())
		case 3, 4:
			fmt.Fprintf(w, "%s%s, %s = %s, %s\n", in, elem(), elem(), elem(), elem())
		default:
			fmt.Fprintf(w, "%s%s %s %s\n", in, elem(), w.one("=", "+="), w.one("1", elem()))
		}
	}
}
