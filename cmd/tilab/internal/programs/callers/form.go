package callers

import (
	"fmt"
	"strings"
)

// A form is a statement around a call of a node. It makes the call the given number of
// times, once if times is 0. $S is the statement that makes one call; it occurs once in the
// form.
type form struct {
	name  string
	text  string
	times int
	decl  string // of a helper $H, if there is one
	deep  bool   // the helper calls itself $D times
}

// once is the text of a callback that is called repeatedly and must make one call.
const once = "if k++; k == $K {\n$S\n}\n"

var forms = []form{
	{name: "plain", text: "$S"},
	{name: "plain", text: "$S"},
	{name: "plain", text: "$S"},
	{name: "block", text: "if t != nil {\n$S\n}"},
	{name: "loop", text: "for range 3 {\n$S\n}", times: 3},
	{name: "counting loop", text: "for i := 0; i < 2; i++ {\n$S\n}", times: 2},
	{name: "literal", text: "func() {\n$S\n}()"},
	{name: "literal with a result", text: "noise[t.Same()] = func(k int) int {\n$S\nreturn k\n}(1)"},
	{name: "variable of a literal", text: "f := func() {\n$S\n}\nf()"},
	{name: "far literal", text: "pick(func() {\n$S\n})()"},
	{name: "helper", text: "$H(t)", decl: "func $H(t *trace.Task) {\n$S\n}"},
	{name: "far helper", text: "$H(t)", decl: "//go:noinline\nfunc $H(t *trace.Task) {\n$S\n}"},
	{name: "helper with two calls", text: "$H(t, 1)\n$H(t, 2)", decl: "func $H(t *trace.Task, k int) {\nif k > 0 {\n$S\n}\n}", times: 2},
	{name: "far helper with two calls", text: "$H(t, 1)\n$H(t, 2)", decl: "//go:noinline\nfunc $H(t *trace.Task, k int) {\nif k > 0 {\n$S\n}\n}", times: 2},
	{name: "generic helper", text: "$H(t, $K)\n$H(t, \"a\")", decl: "func $H[T any](t *trace.Task, x T) {\n_ = x\n$S\n}", times: 2},
	{name: "callback of code with checks", text: "call(func() {\n$S\n})"},

	{name: "defer", text: "func() {\ndefer func() {\n$S\n}()\nnoise[t.Fresh()] = 1\n}()"},
	{name: "defer of a call", text: "$H(t)", decl: "func $H(t *trace.Task) {\ndefer i$H(t)\nnoise[t.Fresh()] = 1\n}\n\nfunc i$H(t *trace.Task) {\n$S\n}"},
	{name: "defer in a loop", text: "func() {\nfor range 2 {\ndefer func() {\n$S\n}()\n}\n}()", times: 2},
	{name: "defer behind a condition", text: "func() {\nif t != nil {\ndefer func() {\n$S\n}()\n}\nnoise[t.Fresh()] = 1\n}()"},
	{name: "defer at one of two returns", text: "func() {\ndefer func() {\n$S\n}()\nif t.Same() == 0 {\nreturn\n}\nnoise[t.Fresh()] = 1\n}()"},
	{name: "defer with a result", text: "noise[t.Same()] = func() (r int) {\ndefer func() {\nr++\n$S\n}()\nreturn t.Same()\n}()"},
	{name: "defer in a range over a function", text: "func() {\nfor range quiet.Seq(2) {\ndefer func() {\n$S\n}()\n}\n}()", times: 2},

	{name: "panicking", text: "func() {\ndefer func() { recover() }()\ndefer func() {\n$S\n}()\nnoise[t.Fresh()] = 1\nfails($E)\nnoise[t.Fresh()] = 1\n}()"},
	{name: "panicking in place", text: "func() {\ndefer func() { recover() }()\nvar p *rec\ndefer func() {\n$S\n}()\nnoise[t.Fresh()] = 1\np.b = 1\nnoise[t.Fresh()] = 1\n}()"},
	{name: "panicking by a helper", text: "func() {\ndefer func() { recover() }()\ndefer func() {\n$S\n}()\n$H(t, pick[*rec](nil))\n}()", decl: "func $H(t *trace.Task, p *rec) {\nnoise[t.Fresh()] = 1\nn := p.in.d\nnoise[t.Fresh()] = n\n}"},
	{name: "panicking without checks", text: "func() {\ndefer func() { recover() }()\ndefer func() {\n$S\n}()\nquiet.Load(nil)\n}()"},
	{name: "recovered", text: "func() {\ndefer func() {\nrecover()\n$S\n}()\nfails($E)\n}()"},
	{name: "recovered in a callee", text: "func() {\ndefer func() {\nrecover()\n}()\nfails($E)\n}()\n$S"},
	{name: "recovered by code without checks", text: "quiet.Rescue(func() {\ndefer func() {\n$S\n}()\nquiet.Fail()\n})"},
	{name: "recovered far out", text: "func() {\ndefer func() { recover() }()\n$H(t, $N)\n}()\n$S", decl: "func $H(t *trace.Task, d int) {\nnoise[t.Fresh()] = d\nif d == 0 {\nfails($E)\n}\n$H(t, d-1)\n}"},
	{name: "panicking twice", text: "func() {\ndefer func() { recover() }()\ndefer func() {\ndefer func() {\n$S\n}()\nfails($E)\n}()\nfails(0)\n}()"},
	{name: "recovered inside a panic", text: "func() {\ndefer func() { recover() }()\ndefer func() {\nfunc() {\ndefer func() { recover() }()\nfails($E)\n}()\n$S\n}()\nfails(0)\n}()"},
	{name: "panicking anew", text: "func() {\ndefer func() {\nrecover()\n$S\n}()\ndefer func() {\nif recover() != nil {\nfails($E)\n}\n}()\nfails(0)\n}()"},
	{name: "panicking behind recursion", text: "func() {\ndefer func() { recover() }()\ndefer func() {\n$S\n}()\n$H(t, $N)\n}()", decl: "func $H(t *trace.Task, d int) {\nif d == 0 {\nfails($E)\n}\n$H(t, d-1)\n}"},
	{name: "exiting", text: "func() {\ndone := make(chan bool)\ngo func() {\ndefer close(done)\ndefer func() {\n$S\n}()\nruntime.Goexit()\n}()\n<-done\n}()"},
	{name: "exiting in a deferred call", text: "func() {\ndone := make(chan bool)\ngo func() {\ndefer close(done)\ndefer func() {\ndefer func() {\n$S\n}()\nruntime.Goexit()\n}()\nfails($E)\n}()\n<-done\n}()"},

	{name: "callback", text: "quiet.Call(func() {\n$S\n})"},
	{name: "callback further in", text: "quiet.CallFar(func() {\n$S\n})"},
	{name: "callback twice", text: "quiet.Twice(func() {\n$S\n})", times: 2},
	{name: "callback for each", text: "quiet.Each(3, func(i int) {\n$S\n})", times: 3},
	{name: "generic callback", text: "quiet.Map([]int{1, 2}, func(int) string {\n$S\nreturn \"\"\n})", times: 2},
	{name: "deferred callback", text: "quiet.Deferred(func() {\n$S\n})"},
	{name: "callback through an interface", text: "quiet.Run(quiet.Func(func() {\n$S\n}))"},
	{name: "sort.Slice", text: "func() {\nk, list := 0, []int{3, 1, 4, 1, 5, 9, 2, 6}\nsort.Slice(list, func(i, j int) bool {\n" + once + "return list[i] < list[j]\n})\n}()"},
	{name: "slices.SortFunc", text: "func() {\nk, list := 0, []int{3, 1, 4, 1, 5, 9, 2, 6}\nslices.SortFunc(list, func(a, b int) int {\n" + once + "return a - b\n})\n}()"},
	{name: "strings.Map", text: "func() {\nk := 0\nstrings.Map(func(r rune) rune {\n" + once + "return r + 1\n}, \"callers\")\n}()"},
	{name: "slices.IndexFunc", text: "func() {\nk := 0\nslices.IndexFunc([]string{\"a\", \"b\", \"c\", \"d\"}, func(string) bool {\n" + once + "return false\n})\n}()"},
	{name: "sync.Once", text: "new(sync.Once).Do(func() {\n$S\n})"},
	{name: "sync.OnceFunc", text: "sync.OnceFunc(func() {\n$S\n})()"},
	{name: "reflect.Value.Call", text: "reflect.ValueOf(func() {\n$S\n}).Call(nil)"},
	{name: "reflect.Value.Call of a method value", text: "reflect.ValueOf(quiet.Func(func() {\n$S\n}).Run).Call(nil)"},
	{name: "reflect.MakeFunc", text: "makeFunc(func() {\n$S\n})()"},
	{name: "range over a function", text: "for range seq(2) {\n$S\n}", times: 2},
	{name: "range over a function without checks", text: "for range quiet.Seq(2) {\n$S\n}", times: 2},
	{name: "nested range over functions", text: "for i := range quiet.Seq(2) {\nfor range seq(3) {\nif i == 1 {\nbreak\n}\n$S\n}\n}", times: 3},
	{name: "return in a range over a function", text: "func() {\nfor range seq(3) {\n$S\nreturn\n}\n}()"},
	{name: "iter.Pull", text: "func() {\nnext, stop := iter.Pull(func(yield func(int) bool) {\n$S\nyield(1)\n})\nnext()\nstop()\n}()"},
	{name: "iter.Pull, stopped", text: "func() {\nnext, stop := iter.Pull(func(yield func(int) bool) {\nyield(1)\n$S\n})\nnext()\nstop()\n}()"},

	{name: "recursion", text: "$H(t, $D)", decl: "func $H(t *trace.Task, d int) {\nif d == 0 {\n$S\nreturn\n}\n$H(t, d-1)\n}", deep: true},
	{name: "recursion with accesses", text: "$H(t, $D)", decl: "func $H(t *trace.Task, d int) {\nnoise[t.Fresh()]++\nif d == 0 {\n$S\nreturn\n}\n$H(t, d-1)\nnoise[t.Fresh()]++\n}", deep: true},
	{name: "recursion with large frames", text: "$H(t, $D)", decl: "func $H(t *trace.Task, d int) int {\nvar pad [400]byte\nnoise[t.Fresh()]++\npad[d&255] = 1\nif d == 0 {\n$S\nreturn 0\n}\nreturn $H(t, d-1) + int(pad[d&127])\n}", deep: true},
	{name: "recursion, on the way back", text: "$H(t, $N, $N)", decl: "func $H(t *trace.Task, d, k int) {\nnoise[t.Fresh()]++\nif d > 0 {\n$H(t, d-1, k)\n}\nif d == k {\n$S\n}\n}"},
	{name: "recursion at each level", text: "$H(t, 2)", decl: "func $H(t *trace.Task, d int) {\nif d > 0 {\n$H(t, d-1)\n}\n$S\n}", times: 3},
	{name: "recursion over two ways", text: "$H(t, 2)", decl: "func $H(t *trace.Task, d int) {\nif d == 0 {\n$S\nreturn\n}\n$H(t, d-1)\n$H(t, d-1)\n}", times: 4},
	{name: "mutual recursion", text: "$H(t, $D)", decl: "func $H(t *trace.Task, d int) {\nif d <= 0 {\n$S\nreturn\n}\ni$H(t, d-1)\n}\n\nfunc i$H(t *trace.Task, d int) {\nnoise[t.Fresh()] = d\nif d%3 == 0 {\n$H(t, d-1)\n} else {\n$H(t, d-2)\n}\n}", deep: true},
	{name: "recursion of a literal", text: "func() {\nvar f func(int)\nf = func(d int) {\nif d == 0 {\n$S\nreturn\n}\nf(d - 1)\n}\nf($N)\n}()"},
	{name: "recursion through code without checks", text: "$H(t, $N)", decl: "func $H(t *trace.Task, d int) {\nif d == 0 {\n$S\nreturn\n}\nquiet.Call(func() {\n$H(t, d-1)\n})\n}"},
	{name: "generic recursion", text: "$H(t, $N, 1)", decl: "func $H[T any](t *trace.Task, d int, x T) {\nif d == 0 {\n$S\nreturn\n}\n$H(t, d-1, x)\n}"},
	{name: "recursion with defer", text: "$H(t, $N)", decl: "func $H(t *trace.Task, d int) {\ndefer func() {\nnoise[t.Fresh()]++\nif d == 0 {\n$S\n}\n}()\nif d > 0 {\n$H(t, d-1)\n}\n}"},

	{name: "go", text: "func() {\nvar wg sync.WaitGroup\nwg.Add(1)\ngo func() {\ndefer wg.Done()\n$S\n}()\nwg.Wait()\n}()"},
	{name: "go of a call", text: "func() {\ndone := make(chan bool)\ngo $H(t, done)\n<-done\n}()", decl: "func $H(t *trace.Task, done chan bool) {\ndefer close(done)\n$S\n}"},
	{name: "go of a call that is not deferred", text: "func() {\ndone := make(chan bool)\ngo $H(t, done)\n<-done\n}()", decl: "func $H(t *trace.Task, done chan bool) {\n$S\ndone <- true\n}"},
	{name: "WaitGroup.Go", text: "func() {\nvar wg sync.WaitGroup\nwg.Go(func() {\n$S\n})\nwg.Wait()\n}()"},
	{name: "goroutines in turn", text: "func() {\nvar wg sync.WaitGroup\nfor range 2 {\nwg.Go(func() {\n$S\n})\nwg.Wait()\n}\n}()", times: 2},
}

// wrap returns the form f around the statement inner. The result ends the block that
// declares its variables.
func (f *form) wrap(c *oneCase, inner string) string {
	depth := c.rng.Between(1, 12)
	if f.deep {
		switch p := c.rng.IntN(10); {
		case p == 0:
			depth = c.rng.Between(60, 400)
		case p <= 3:
			depth = c.rng.Between(15, 60)
		}
	}
	r := strings.NewReplacer("$H", c.name("h"), "$S", inner, "$N", fmt.Sprint(c.rng.Between(1, 6)), "$K", fmt.Sprint(c.rng.Between(1, 4)),
		"$E", fmt.Sprint(c.rng.Between(0, maxFailure)), "$D", fmt.Sprint(depth))
	if f.decl != "" {
		c.helpers = append(c.helpers, r.Replace(f.decl)+"\n")
	}
	text := r.Replace(f.text)
	if strings.HasPrefix(f.text, "f := ") {
		text = "{\n" + text + "\n}"
	}
	return text
}

// maxFailure is the greatest argument of fails, in testdata/program/main.go.
const maxFailure = 9

// A filler is a statement between calls.
type filler struct {
	name, text string
	cost       int // nodes that are called often have no filler of great cost
}

var fillers = []filler{
	{"fresh access", "noise[t.Fresh()] = $N", 0},
	{"fresh access", "noise[t.Fresh()]++", 0},
	{"repeated access", "noise[t.Same()]++", 0},
	{"accesses in a loop", "for range $N {\nnoise[t.Fresh()]++\n}", 1},
	{"access in a literal", "func() {\nnoise[t.Fresh()]++\n}()", 0},
	{"access in a callback", "quiet.Call(func() {\nnoise[t.Fresh()]++\n})", 0},
	{"deep accesses", "grow(t, $N)", 3},
	{"large stack", "quiet.Grow($N)", 1},
	{"larger stack", "quiet.Grow(100 + $N)", 10},
	{"end of a step", "t.Step()", 1},
	{"Gosched", "runtime.Gosched()", 1},
	{"collection", "runtime.GC()", 100},
	{"recovered panic", "quiet.Rescue(func() {\nfails($N % 10)\n})", 1},
}
