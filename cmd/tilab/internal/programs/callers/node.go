package callers

import (
	"fmt"
	"strings"

	"taskinstr/cmd/tilab/internal/programs/random"
)

// A nodeKind is a way to declare a function with the parameter t, with the ways to call it.
type nodeKind struct {
	name  string
	decl  string   // $F is the name, $P //go:noinline or nothing; the body follows
	calls []string // expressions
}

// Receivers with fields are copied by the compiler's wrappers.
var nodeKinds = []*nodeKind{
	{"function", "$P\nfunc $F(t *trace.Task) {", []string{
		"$F(t)", "$F(t)", "$F(t)", "pick($F)(t)",
	}},
	{"generic function", "$P\nfunc $F[T any](t *trace.Task, x T) {\n_ = x", []string{
		"$F(t, 1)", `$F(t, "a")`, "$F[any](t, nil)", "$F(t, struct{ p *int }{})", "$F(t, t)", "pick($F[int])(t, 1)",
	}},
	{"method of a pointer", "type $F struct{ f [2]int }\n\ntype e$F struct {\nk int\n$F\n}\n\ntype p$F struct {\nk int\n*$F\n}\n\ntype i$F struct{ runner }\n\n$P\nfunc (r *$F) Run(t *trace.Task) {", []string{
		"(&$F{}).Run(t)", "pick(&$F{}).Run(t)", "(*$F).Run(new($F), t)", "pick((*$F).Run)(new($F), t)", "pick(new($F).Run)(t)",
		"pick[runner](new($F)).Run(t)", "pick(pick[runner](new($F)).Run)(t)", "pick(runner.Run)(new($F), t)",
		"new(e$F).Run(t)", "pick[runner](new(e$F)).Run(t)", "pick((*e$F).Run)(new(e$F), t)", "pick(new(e$F).Run)(t)",
		"pick[runner](p$F{1, new($F)}).Run(t)", "pick[runner](&p$F{1, new($F)}).Run(t)", "pick[runner](&i$F{new($F)}).Run(t)", "pick(p$F.Run)(p$F{1, new($F)}, t)",
		"run(new($F), t)", "runAny(new($F), t)", "runAny[runner](new($F), t)", "runAny(new(e$F), t)", "runAny(p$F{1, new($F)}, t)",
	}},
	{"method of a value", "type $F struct{ f [2]int }\n\ntype e$F struct {\nk int\n$F\n}\n\n$P\nfunc (r $F) Run(t *trace.Task) {", []string{
		"$F{}.Run(t)", "new($F).Run(t)", "pick($F{}.Run)(t)", "pick($F.Run)($F{}, t)", "pick((*$F).Run)(new($F), t)",
		"pick[runner]($F{}).Run(t)", "pick[runner](new($F)).Run(t)", "pick(pick[runner](new($F)).Run)(t)", "pick(pick[runner]($F{}).Run)(t)",
		"pick[runner](e$F{}).Run(t)", "pick[runner](&e$F{}).Run(t)", "pick(e$F{}.Run)(t)",
		"run($F{}, t)", "run(new($F), t)", "runAny($F{}, t)", "runAny(new($F), t)", "runAny(new(e$F), t)",
	}},
	{"method of a number", "type $F int\n\n$P\nfunc (r $F) Run(t *trace.Task) {", []string{
		"$F(1).Run(t)", "pick($F(1).Run)(t)", "pick[runner]($F(300)).Run(t)", "pick[runner](new($F)).Run(t)", "runAny($F(2), t)",
	}},
	{"method of a function", "type $F func(*trace.Task)\n\n$P\nfunc (r $F) Run(t *trace.Task) {", []string{
		"$F(nil).Run(t)", "pick[runner]($F(nil)).Run(t)", "runAny($F(nil), t)",
	}},
	{"generic method", "type $F[T any] struct{ f T }\n\ntype e$F[T any] struct {\nk int\n$F[T]\n}\n\n$P\nfunc (r *$F[T]) Run(t *trace.Task) {\n_ = any(r.f)", []string{
		"new($F[int]).Run(t)", "new($F[string]).Run(t)", "pick(new($F[any]).Run)(t)", "pick((*$F[int]).Run)(new($F[int]), t)",
		"pick[runner](new($F[int])).Run(t)", "pick[runner](new($F[*int])).Run(t)", "pick(pick[runner](new($F[string])).Run)(t)",
		"pick[runner](new(e$F[int])).Run(t)", "runAny(new($F[[2]int]), t)", "runAny(new(e$F[string]), t)",
	}},
	{"generic method of a value", "type $F[T any] struct{ f T }\n\n$P\nfunc (r $F[T]) Run(t *trace.Task) {\n_ = any(r.f)", []string{
		"$F[int]{}.Run(t)", "pick($F[any]{}.Run)(t)", "pick($F[int].Run)($F[int]{}, t)",
		"pick[runner]($F[int]{}).Run(t)", "pick[runner](new($F[*int])).Run(t)", "pick(pick[runner](new($F[string])).Run)(t)",
		"runAny($F[[2]int]{}, t)", "runAny(new($F[string]), t)",
	}},
	{"function literal", "var $F = func(t *trace.Task) {", []string{"$F(t)", "pick($F)(t)"}},
}

func (k *nodeKind) call(c *oneCase, n *node) string {
	text := random.Choose(c.rng, k.calls)
	c.note("call " + text)
	return strings.ReplaceAll(text, "$F", n.name)
}

func (k *nodeKind) declare(n *node, w *strings.Builder) {
	pragma := ""
	if n.far {
		pragma = "//go:noinline"
	}
	fmt.Fprintln(w, strings.NewReplacer("$F", n.name, "$P", pragma).Replace(k.decl))
	for _, s := range n.body {
		fmt.Fprintln(w, s)
	}
	w.WriteString("}\n\n")
}
