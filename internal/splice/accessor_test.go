package splice

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/internal/site"
)

// accessorSource sums numbers in a slice. The plan below says that the scan makes all checks
// if n is 2.
const accessorSource = `package main

import (
	"encoding/binary"
	"fmt"
)

func u32(b []byte) uint32 { return binary.BigEndian.Uint32(b) }

func sum(b []byte, n int) (s uint64) {
	for i := 0; i < n; i++ {
		s += binary.LittleEndian.Uint64(b[i*8:])
		binary.BigEndian.PutUint16(b[i:], uint16(s))
		s += uint64(u32(b[i:]))
	}
	return s
}

func main() {
	for _, n := range []int{1, 2, 3} {
		b := []byte("abcdefghijklmnopqrstuvwxyz")
		fmt.Println("sum", sum(b, n), string(b))
	}
}
`

// TestAccessors: calls that a plan names go to copies while the flag of the loop is set.
func TestAccessors(t *testing.T) {
	for _, shadowed := range []bool{false, true} {
		src := accessorSource
		if shadowed {
			src += "\ntype uint16 = struct{}\n"
			src = strings.Replace(src, "uint16(s)", "0", 1)
		}
		place := func(text string, at int) site.Pos { return placeIn(t, src, text, at) }
		name := func(text string) site.Pos { return place(text, strings.LastIndexAny(text, ". ")+1) }
		loop := place("for i", 0)
		plan := &Plan{Files: map[string]string{"p.go": site.Digest([]byte(src))}, Inserts: []Insert{{
			File: "p.go", Line: loop.Line, Col: loop.Col, Flags: []string{"_ti_a1"}, Text: "_ti_a1 := n == 2",
			Calls: []Call{
				{At: name("LittleEndian.Uint64"), Accessor: "_ti_le64"},
				{At: name("BigEndian.PutUint16"), Accessor: "_ti_putbe16"},
				{At: name("return binary.BigEndian.Uint32"), Accessor: "_ti_be32"},
				{At: place("u32(b[i:])", 0), Func: place("u32(b []byte)", 0)},
				{At: name("s += binary.LittleEndian"), Accessor: "os.Exit"}, // no accessor
			},
		}}}
		r := spliceText(t, src, plan)
		want := map[string]int{
			"_ti_le64(b[i*8:])": 1, "binary.LittleEndian.Uint64(b[i*8:])": 1, "_ti_putbe16(b[i:]": 1, "binary.BigEndian.PutUint16(b[i:]": 1,
			"_ti_c_u32(b[i:])": 1, "func _ti_c_u32(b []byte) uint32 { return _ti_be32(b) }": 1, "return binary.BigEndian.Uint32(b)": 1, "os.Exit": 0,
		}
		if shadowed { // the copies would not compile
			want = map[string]int{"_ti_le64": 0, "_ti_putbe16": 0, "_ti_be32": 0, "_ti_c_u32(b[i:])": 1}
		}
		got := string(r.Files[0])
		counts(t, got, want)
		dir := t.TempDir()
		plain := goRun(t, dir, "plain.go", src, nil)
		host(r)
		if a, b := results(plain), results(goRun(t, dir, "p.go", string(r.Files[0]), r.Generated)); a != b {
			t.Errorf("prints\n%swant\n%s\n%s", b, a, got)
		}
	}
}

// TestCopies: the copies of accessors compute what the functions of encoding/binary do, and
// panic for the same slices.
func TestCopies(t *testing.T) {
	var b strings.Builder
	b.WriteString(`package main

import (
	"encoding/binary"
	"fmt"
	"math/rand"
)

func try(f func()) (failed string) {
	defer func() {
		if e := recover(); e != nil {
			failed = fmt.Sprint(e)
		}
	}()
	f()
	return ""
}

func main() {
	for n := range 12 {
		for range 50 {
			x, v := make([]byte, n), rand.Uint64()
			rand.Read(x)
`)
	for names, copied := range accessors {
		width := names[1][strings.Index(names[1], "Uint")+len("Uint"):]
		if strings.HasPrefix(names[1], "Put") {
			fmt.Fprintf(&b, `{
				y, z := append([]byte{}, x...), append([]byte{}, x...)
				p := try(func() { binary.%s.%s(y, uint%s(v)) })
				q := try(func() { %s(z, uint%[3]s(v)) })
				if p != q || p == "" && string(y) != string(z) {
					fmt.Println("%[4]s", x, y, z, p, q)
				}
			}
`, names[0], names[1], width, copied)
			continue
		}
		fmt.Fprintf(&b, `{
				var y, z uint%s
				p := try(func() { y = binary.%s.%s(x) })
				q := try(func() { z = %s(x) })
				if y != z || p != q {
					fmt.Println("%[4]s", x, y, z, p, q)
				}
			}
`, width, names[0], names[1], copied)
	}
	b.WriteString("\t\t}\n\t}\n}\n")
	for _, copied := range accessors {
		b.WriteString(helperText(copied, false, false))
	}
	name := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "run", name).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
