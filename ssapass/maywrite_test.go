package ssapass

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

const writes = `package main

type T struct{ a, b int }

var x, y, z T

func touch(p *T)  { p.a = 1 }
func later(p *T)  { defer touch(p); p.b = 2 }
func look(p *T)   { println(p.a) }
func start(p *T)  { go touch(p) }
func onlyY(p *T)  { y.a = 1 }
func stores(p *T) { p.a = 3 }
func other(p *T)  { p.b = 3 }

func main() {
	touch(&x)
	later(&x)
	look(&x)
	start(&z)
	onlyY(&x)
	stores(&x)
	other(&x)
	println(x.a, y.a, z.a)
}
`

// TestMayWrite asks which instructions of each function may write x.a.
func TestMayWrite(t *testing.T) {
	p := load(t, module(t, map[string]string{"main.go": writes}), false, ".")
	a := p.Analyze()
	where := map[string]pointsto.Set{} // memory of field a of each variable
	for _, s := range a.Sites.List {
		if s.Pkg.Name() == "main" && !s.Key.Write && len(s.Key.Expr) == 3 && len(s.Accesses) == 1 {
			where[s.Key.Expr] = a.Where(s, s.Accesses[0])
		}
	}
	may := map[string]bool{}
	for _, f := range p.Functions() {
		if pkg := packageOf(f); pkg == nil || pkg.Name() != "main" {
			continue
		}
		for in := range instrs.Of(f) {
			if c, ok := in.(*ssa.Call); ok && f.Name() == "main" && c.Call.StaticCallee() != nil {
				may[c.Call.StaticCallee().Name()] = a.MayWrite(in, where["x.a"])
			} else if _, ok := in.(*ssa.RunDefers); ok {
				may["at the end of "+f.Name()] = a.MayWrite(in, where["x.a"])
			}
		}
	}
	want := map[string]bool{"touch": true, "later": true, "look": false, "start": false, "onlyY": false, "stores": true, "other": false, "at the end of later": true}
	for k, w := range want {
		if got, ok := may[k]; !ok || got != w {
			t.Errorf("%s: may write x.a: %v (looked at: %v), want %v", k, got, ok, w)
		}
	}
	for k, w := range map[string]bool{"x.a": true, "y.a": true, "z.a": false} {
		if got := a.Stable(where[k]); got != w {
			t.Errorf("%s: stable: %v, want %v", k, got, w)
		}
	}
}
