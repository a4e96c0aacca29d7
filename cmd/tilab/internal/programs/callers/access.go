package callers

import "slices"

// A variableKind is a kind of variable, with the ways to access it. In the texts $X is
// its name and $V its number.
type variableKind struct {
	name           string
	declare, setup string
	address, size  string
	writes, reads  []access
	sequence       bool // accesses at the same time end the program
	ordered        bool // the first task writes, the second task reads
}

// An access records its stack on its line, in the innermost function that the report must
// show.
type access struct {
	text string
	leaf string // prefix, in all versions of Go, of the name of the runtime's function that makes it; "" if none does
}

// others returns the accesses that race with a write.
func (k *variableKind) others() []access {
	if k.ordered {
		return k.reads
	}
	return slices.Concat(k.writes, k.reads)
}

func plain(texts ...string) (list []access) {
	for _, t := range texts {
		list = append(list, access{text: t})
	}
	return list
}

var variableKinds = []*variableKind{
	{
		name: "global", declare: "var $X int", address: "unsafe.Pointer(&$X)", size: "unsafe.Sizeof($X)",
		writes: plain("$X = t.W($V)", "$X += t.W($V)", "put(&$X, t, $V)", "putFar(&$X, t, $V)", "putAny(&$X, t, $V, 1)", "box{&$X}.set(t, $V)", "pick(box{&$X}.set)(t, $V)", "func() {\n$X = t.W($V)\n}()", "defer func() {\n$X = t.W($V)\n}()", "defer put(&$X, t, $V)", "quiet.Call(func() {\n$X = t.W($V)\n})"),
		reads:  plain("t.R($V, $X)", "get(&$X, t, $V)", "getAny(&$X, t, $V)", "(&box{&$X}).get(t, $V)", "if t.W($V) == $X {\nnoise[t.Same()]++\n}"),
	},
	{
		name: "heap", declare: "var $X *int", setup: "$X = new(int)", address: "unsafe.Pointer($X)", size: "unsafe.Sizeof(*$X)",
		writes: plain("*$X = t.W($V)", "*$X += t.W($V)", "put($X, t, $V)", "putFar($X, t, $V)", "putAny($X, t, $V, 1)", "box{$X}.set(t, $V)"),
		reads:  plain("t.R($V, *$X)", "get($X, t, $V)", "getAny($X, t, $V)", "(&box{$X}).get(t, $V)"),
	},
	{
		name: "struct", declare: "var $X *rec", setup: "$X = new(rec)", address: "unsafe.Pointer($X)", size: "unsafe.Sizeof(*$X)",
		writes: plain("$X.in.c = t.W($V)", "*$X = rec{b: t.W($V)}", "put(&$X.in.c, t, $V)", "$X.in = inner{c: t.W($V)}"),
		reads:  plain("t.R($V, $X.in.c)", "t.R($V, same(*$X).in.c)", "get(&$X.in.c, t, $V)", "t.RA($V, *$X)"),
	},
	{
		name: "captured", declare: "var w$X, r$X func(t *trace.Task)\n\nfunc new$X() unsafe.Pointer {\nv := 0\nw$X = func(t *trace.Task) {\nv = t.W($V)\n}\nr$X = func(t *trace.Task) {\nt.R($V, v)\n}\nreturn unsafe.Pointer(&v)\n}", address: "new$X()", size: "8",
		writes: plain("w$X(t)", "pick(w$X)(t)", "defer w$X(t)"),
		reads:  plain("r$X(t)", "defer r$X(t)"),
	},
	{
		name: "slice", declare: "var $X = make([]int, 8)", address: "unsafe.Pointer(&$X[0])", size: "64",
		writes: plain("$X[t.I($V)] = 1", "$X[t.I($V)]++", "clear($X[:t.I($V)+1])", "copy($X[:t.I($V)+1], []int{1, 2, 3})"),
		reads:  plain("t.R($V, $X[1])", "for _, e := range $X[t.I($V):2] {\n_ = e\n}", "_ = append([]int{}, $X[:t.I($V)+1]...)", "copy(make([]int, 3), $X[:t.I($V)+1])"),
	},
	{
		name: "string", declare: "var $X string", address: "unsafe.Pointer(&$X)", size: "unsafe.Sizeof($X)",
		writes: plain("$X = t.S($V)", "$X += t.S($V)", "putAny(&$X, t, $V, \"a\")"),
		reads:  plain("t.RS($V, $X)", "getAny(&$X, t, $V)", "t.RS($V, $X+\"a\")"),
	},
	{
		name: "interface", declare: "var $X any", address: "unsafe.Pointer(&$X)", size: "unsafe.Sizeof($X)",
		writes: plain("$X = t.A($V)", "putAny(&$X, t, $V, any(1))"),
		reads:  plain("t.RA($V, $X)", "getAny(&$X, t, $V)"),
	},
	{
		name: "bytes", declare: "var $X = make([]byte, 64)", address: "unsafe.Pointer(&$X[0])", size: "64",
		writes: plain("$X[t.I($V)] = 1"),
		reads:  []access{{"t.RS($V, string($X))", "runtime.slicebytetostring"}, {"t.RA($V, []rune(string($X)))", "runtime.slicebytetostring"}},
	},
	{
		name: "map", declare: "var $X = map[int]int{}", address: "*(*unsafe.Pointer)(unsafe.Pointer(&$X))", size: "8", sequence: true,
		writes: []access{{"$X[t.W($V)] = 1", "runtime.mapassign_fast64"}, {"delete($X, t.W($V))", "runtime.mapdelete_fast64"}, {"$X[t.W($V)]++", "runtime.mapassign_fast64"}},
		reads:  []access{{"t.R($V, $X[1])", "runtime.mapaccess"}, {"if _, ok := $X[t.W($V)]; ok {\nnoise[t.Same()]++\n}", "runtime.mapaccess"}},
	},
	{
		name: "map of strings", declare: "var $X = map[string]string{}", address: "*(*unsafe.Pointer)(unsafe.Pointer(&$X))", size: "8", sequence: true,
		writes: []access{{"$X[t.S($V)] = \"a\"", "runtime.mapassign_faststr"}, {"delete($X, t.S($V))", "runtime.mapdelete_faststr"}},
		reads:  []access{{"t.RS($V, $X[\"a\"])", "runtime.mapaccess"}},
	},
	{
		name: "map of structs", declare: "var $X = map[rec]rec{}", address: "*(*unsafe.Pointer)(unsafe.Pointer(&$X))", size: "8", sequence: true,
		writes: []access{{"$X[rec{a: t.W($V)}] = rec{}", "runtime.mapassign"}, {"delete($X, rec{a: t.W($V)})", "runtime.mapdelete"}},
		reads:  []access{{"t.R($V, $X[rec{}].a)", "runtime.mapaccess"}},
	},
	{
		name: "channel", declare: "var $X = make(chan int, 4)", address: "*(*unsafe.Pointer)(unsafe.Pointer(&$X))", size: "96", sequence: true, ordered: true,
		writes: []access{{"$X <- t.W($V)", "runtime.chansend"}},
		reads:  []access{{"close(t.C($V, $X))", "runtime.closechan"}},
	},
	{
		name: "atomic", declare: "var $X int64", address: "unsafe.Pointer(&$X)", size: "8", ordered: true,
		writes: plain("atomic.StoreInt64(&$X, int64(t.W($V)))", "atomic.AddInt64(&$X, int64(t.W($V)))", "atomic.SwapInt64(&$X, int64(t.W($V)))"),
		reads:  plain("t.R($V, int($X))"),
	},
	{
		name: "receiver", declare: "var $X = new(val)", address: "unsafe.Pointer($X)", size: "16",
		writes: plain("$X.a = t.W($V)", "*$X = val{a: t.W($V)}", "put(&$X.a, t, $V)"),
		reads:  plain("pick[number]($X).Val(t.W($V))", "pick(number($X).Val)(t.W($V))", "t.R($V, $X.Val(1))"),
	},
}
