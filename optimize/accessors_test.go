package optimize_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAccessors runs random functions that call getters and setters, with all checks in place and
// with the passes that remove, merge and redirect them. In each step of each call the checks must
// cover the same bytes, also in calls that panic.
func TestAccessors(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	dir := t.TempDir()
	harness, err := os.ReadFile("testdata/accessors/harness.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	src := accessorsSource(rand.New(rand.NewPCG(*nestSeed, 3)), *nestCount)
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.25\n", "harness.go": string(harness), "nests.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := runNests(t, dir, "none", 0)
	sets := []string{"dominate", "escape,dominate,affine,hoist,gather"}
	if *nestPass != "" {
		sets = []string{*nestPass}
	}
	for _, passes := range sets {
		got := runNests(t, dir, passes, 0)
		bad := 0
		for i := range want {
			if i < len(got) && got[i] == want[i] {
				continue
			}
			if bad++; bad > 3 {
				t.Fatalf("%s: and more", passes)
			}
			number, _, _ := strings.Cut(strings.TrimPrefix(want[i], "function "), " ")
			name := "function" + number
			_, text, _ := strings.Cut(src, "func "+name+"(")
			text, _, _ = strings.Cut(text, "\n}\n")
			t.Errorf("passes %s, seed %d:\n%s\nwith all checks\n%s\nfunc %s(%s\n}", passes, *nestSeed, got[min(i, len(got)-1)], want[i], name, text)
		}
	}
}

// smallFunctions are those that the functions call.
const smallFunctions = `
func (o *obj) A() int32         { return o.a }
func (o *obj) B() int32         { return o.b }
func (o *obj) C() int64         { return o.c }
func (o *obj) D() int16         { return o.d }
func (o *obj) E() int16         { return o.e }
func (o *obj) F() uint32        { return o.f }
func (o *obj) U() int32         { return o.in.u }
func (o *obj) Len() int         { return len(o.s) }
func (o *obj) Next() *obj       { return o.next }
func (o *obj) S() []int32       { return o.s }
func (p *pair) V() int32        { return p.v }
func (p *pair) SetU(x int32)    { p.u = x }
func (p *pair) SetV(x int32)    { p.v = x }
func (o *obj) SetA(x int32)     { o.a = x }
func (o *obj) SetB(x int32)     { o.b = x }
func (o *obj) SetC(x int32)     { o.c = int64(x) }
func (o *obj) SetD(x int32)     { o.d = int16(x) }
func (o *obj) SetE(x int32)     { o.e = int16(x) }
func (o *obj) SetF(x int32)     { o.f = uint32(x) }
func (o *obj) SetBoth(x int32)  { o.a = x; o.b = x + 1 }
func (o *obj) Both() int32      { return o.a + o.b }
func (o *obj) Ends() int32      { return o.a + int32(o.d) }
func (o *obj) Inc() int32       { o.b++; return o.b }
func (o *obj) AddC(x int32)     { o.c += int64(x) }
func (o *obj) One(i int) int32  { return o.arr[i] }
func (o *obj) First() int32     { return o.arr[0] }
func (o *obj) Mixed(x int32)    { o.a = o.b + x }
func (o *obj) Quotient() int32  { return o.a / o.b }
func (o *obj) Some() int32 {
	if o.a > 1 {
		return o.b
	}
	return o.a
}
func (o *obj) Sum() (sum int32) {
	for _, x := range o.s {
		sum += x
	}
	return sum + o.a
}
func (o *obj) Later(x int32) { o.a = x; sep(); o.b = x }
func move(x, y *obj)         { x.a = y.a }
func setC(o *obj, x int32)   { o.c = int64(x) }
func getB(o *obj) int32      { return o.b }
func value(o obj) int32      { return o.a + o.b }
`

// An accessorWriter writes random functions.
type accessorWriter struct {
	strings.Builder
	r    *rand.Rand
	next int
}

func accessorsSource(r *rand.Rand, count int) string {
	w := &accessorWriter{r: r}
	w.WriteString("package main\n\ntype function func(x, y, z *obj, n int32) int32\n\nvar functions = []function{")
	for i := range count {
		fmt.Fprintf(w, "function%d, ", i)
	}
	w.WriteString("}\n" + smallFunctions + "\n")
	for i := range count {
		fmt.Fprintf(w, "func function%d(x, y, z *obj, n int32) (sum int32) {\n\tvar l obj\n\tl.a, l.next = n, x\n", i)
		for range 3 + r.IntN(10) {
			w.statement(1)
		}
		w.WriteString("\treturn sum + l.b\n}\n\n")
	}
	return w.String()
}

func (w *accessorWriter) one(list ...string) string { return list[w.r.IntN(len(list))] }

// object returns an object; x is the most frequent one, so that accesses are neighbours.
func (w *accessorWriter) object() string {
	return w.one("x", "x", "x", "x", "y", "z", "(&l)", "x.next")
}

// expr returns an expression of type int32.
func (w *accessorWriter) expr() string {
	o := w.object()
	switch w.r.IntN(12) {
	case 0, 1:
		return o + "." + w.one("A", "B", "U", "V", "Both", "Ends", "Inc", "First", "Quotient", "Some", "Sum") + "()"
	case 2:
		return "int32(" + o + "." + w.one("C", "D", "E", "F", "Len") + "())"
	case 3, 4:
		return o + "." + w.one("a", "b", "in.u", "in.v", "u", "v", "arr[1]", "arr[0]")
	case 5:
		return "int32(" + o + "." + w.one("c", "d", "e", "f") + ")"
	case 6:
		return "int32(len(" + o + ".s))"
	case 7:
		return o + ".s[len(" + o + ".s)-1]"
	case 8:
		return o + ".One(int(n))"
	case 9:
		return w.one("getB("+o+")", "value(*"+o+")", "int32(cap("+o+".s))", "int32(len("+o+".S()))", o+".Next().A()")
	}
	return w.one("n", "sum", "1", "n+1")
}

func (w *accessorWriter) condition() string {
	c := w.expr() + w.one(" > 0", " < 3", " == 1")
	if w.r.IntN(3) == 0 {
		c += w.one(" && ", " || ") + w.expr() + " > 0"
	}
	return c
}

func (w *accessorWriter) statement(depth int) {
	in := strings.Repeat("\t", depth)
	o := w.object()
	switch k := w.r.IntN(24); {
	case k < 9:
		// Setters in a row.
		for range 1 + w.r.IntN(3) {
			fmt.Fprintf(w, "%s%s.%s(%s)\n", in, o, w.one("SetA", "SetB", "SetC", "SetD", "SetE", "SetF", "SetU", "SetV", "SetBoth", "AddC", "Mixed", "Later"), w.one(w.expr(), "n", "sum"))
		}
	case k < 11:
		fmt.Fprintf(w, "%s%s.%s = %s\n", in, o, w.one("a", "b", "in.u", "in.v", "arr[2]", "arr[n&3]", "u"), w.expr())
	case k < 15:
		fmt.Fprintf(w, "%ssum += %s %s %s\n", in, w.expr(), w.one("+", "-", "*"), w.expr())
	case k == 15:
		fmt.Fprintf(w, "%ssep()\n", in)
	case k == 16:
		fmt.Fprintf(w, "%s%s\n", in, w.one("move(x, y)", "move(x, &l)", "setC(x, n)", "setC(&l, sum)", "x, y = y, x", "sum ^= n", "defer x.SetA(n)", "sum += (*obj).B(x)", "{ f := x.A; sum += f() }"))
	case k == 17:
		fmt.Fprintf(w, "%sx = %s\n", in, w.one("x.next", "y", "z.Next()"))
	case k == 18:
		fmt.Fprintf(w, "%sif %s {\n%s\treturn sum\n%s}\n", in, w.condition(), in, in)
	case depth < 3 && k < 21:
		fmt.Fprintf(w, "%sif %s {\n", in, w.condition())
		for range 1 + w.r.IntN(3) {
			w.statement(depth + 1)
		}
		fmt.Fprintf(w, "%s}\n", in)
	case depth < 3 && k < 23:
		w.next++
		fmt.Fprintf(w, "%sfor i%d := range %s {\n%s\tsum += int32(i%d)\n", in, w.next, w.one("3", "int(n)", "2"), in, w.next)
		for range 1 + w.r.IntN(3) {
			w.statement(depth + 1)
		}
		fmt.Fprintf(w, "%s}\n", in)
	default:
		fmt.Fprintf(w, "%ssum += %s\n", in, w.expr())
	}
}
