package fields

// A way is code that reads or writes the field of the object at x, a pointer. Each read has a place of its own, so no two races have the same places.
//
// $T stands for the type of the object, $t for that of the field, $i for
// the number of the case, $N for the name of the type in the functions of sync/atomic.
type way struct {
	text string
	decl string // declared beside the case
}

// overwrites are the ways to write whole objects.
var overwrites = []way{
	{text: "*x = $T{}"},
	{text: "*x = *new($T)"},
	{text: "y := new($T)\n*x, *y = *y, *x"},
	{text: "x, y := x, new($T)\n*y, *x = *x, *y"},
	{text: "*x, _ = *new($T), 1"},
	{text: "p := &x\n**p = $T{}"},
	{text: "lib.Set(x, $T{})"},
	{text: "lib.Zero(x)"},
	{text: "f := lib.Set[$T]\nf(x, $T{})"},
	{text: "reflect.ValueOf(x).Elem().Set(reflect.ValueOf($T{}))"},
	{text: "reflect.ValueOf(x).Elem().SetZero()"},
	{text: "reflect.Copy(reflect.ValueOf(unsafe.Slice(x, 1)), reflect.ValueOf(make([]$T, 1)))"},
	{text: "c := make(chan $T, 1)\nc <- $T{}\n*x = <-c"},
	{text: "c := make(chan $T, 1)\nc <- $T{}\nselect {\ncase *x = <-c:\n}"},
	{text: "copy(unsafe.Slice(x, 1), make([]$T, 1))"},
	{text: "clear(unsafe.Slice(x, 1))"},
	{text: "_ = append(unsafe.Slice(x, 1)[:0], $T{})"},
	{text: "_ = slices.Replace(unsafe.Slice(x, 1), 0, 1, $T{})"},
	{text: "_ = slices.Delete(unsafe.Slice(x, 1), 0, 1)"},
	{text: "_ = slices.Insert(unsafe.Slice(x, 1)[:0], 0, $T{})"},
	{text: "f := slices.Delete[[]$T]\n_ = f(unsafe.Slice(x, 1), 0, 1)"},
	{text: "for _, *x = range make([]$T, 1) {\n}"},
	{text: "var a any = $T{}\n*x = a.($T)"},
	{text: "var a any = $T{}\nif v, ok := a.($T); ok {\n*x = v\n}"},
	{text: "*(*holder$i)(unsafe.Pointer(x)) = holder$i{}", decl: "type holder$i struct{ o $T }\n"},
	{text: "(*holder$i)(unsafe.Pointer(x)).o = $T{}", decl: "type holder$i struct{ o $T }\n"},
	{text: "*(*other$i)(x) = other$i{}", decl: "type other$i $T\n"},
	{text: "*(*[1]$T)(unsafe.Slice(x, 1)) = [1]$T{}"},
	{text: "m := map[int]$T{}\n*x = m[1]"},
	{text: "func() { *x = $T{} }()"},
	{text: "func() {\ndefer zero$i(x)\n}()", decl: "func zero$i(x *$T) { *x = $T{} }\n"},
	{text: "zero$i(x)", decl: "func zero$i(x *$T) { *x = $T{} }\n"},
	{text: "lib.Do(func() { *x = $T{} })"},
	{text: "l := []*$T{x}\n*l[0] = $T{}"},
	{text: "to$i = x\n*to$i = $T{}", decl: "var to$i *$T\n"},
	{text: "b := unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x))\nfor i := range b {\nb[i] = 0\n}"},
}

// plainWrites are the ways to write a field of a type of numbers.
var plainWrites = []way{
	{text: "x.f = 2"},
	{text: "x.f++"},
	{text: "x.f += 2"},
	{text: "x.f, _ = 2, 3"},
	{text: "p := &x.f\n*p = 3"},
	{text: "p := &x.f\nfunc() { *p = 3 }()"},
	{text: "poke$i(&x.f)", decl: "func poke$i(p *$t) { *p = 4 }\n"},
	{text: "lib.Set(&x.f, 5)"},
	{text: "lib.Zero(&x.f)"},
	{text: "x.put(2)", decl: "func (x *$T) put(n $t) { x.f = n }\n"},
	{text: "f := x.put\nf(2)", decl: "func (x *$T) put(n $t) { x.f = n }\n"},
	{text: "var d lib.Doer = x\nd.Do()", decl: "func (x *$T) Do() { x.f = 6 }\n"},
	{text: "lib.Do(func() { x.f = 4 })"},
	{text: "*(*$t)(unsafe.Pointer(&x.f)) = 1"},
	{text: "*(*$t)(unsafe.Add(unsafe.Pointer(x), unsafe.Offsetof(x.f))) = 1"},
	{text: "for x.f = range 2 {\n}"},
	{text: "c := make(chan $t, 1)\nc <- 3\nx.f = <-c"},
	{text: "at$i = &x.f\n*at$i = 1", decl: "var at$i *$t\n"},
	{text: "l := []*$t{&x.f}\n*l[0] = 1"},
	{text: "h := struct{ *$T }{x}\nh.f = 3"},
}

// plainReads are the ways to read a field of such a type.
var plainReads = []way{
	{text: "lib.Use(x.f)"},
	{text: "p := &x.f\nlib.Use(*p)"},
	{text: "y := *x\nlib.Use(y.f)"},
	{text: "lib.Use(x.get())", decl: "func (x *$T) get() $t { return x.f }\n"},
	{text: "f := x.get\nlib.Use(f())", decl: "func (x *$T) get() $t { return x.f }\n"},
	{text: "if x.f == 0 && x.f == 1 {\nlib.Use(0)\n}"},
}

// For fields of a type of numbers that functions of sync/atomic reach.
var (
	atomicWrites = []way{
		{text: "atomic.Store$N(&x.f, 2)"},
		{text: "atomic.Add$N(&x.f, 2)"},
		{text: "atomic.Swap$N(&x.f, 2)"},
		{text: "p := &x.f\natomic.Store$N(p, 3)"},
		{text: "x.store(2)", decl: "func (x *$T) store(n $t) { atomic.Store$N(&x.f, n) }\n"},
	}
	atomicReads = []way{
		{text: "lib.Use(atomic.Load$N(&x.f))"},
		{text: "p := &x.f\nlib.Use(atomic.Load$N(p))"},
		{text: "lib.Use(x.load())", decl: "func (x *$T) load() $t { return atomic.Load$N(&x.f) }\n"},
		{text: "if atomic.Load$N(&x.f) == 0 && atomic.Load$N(&x.f) == 7 {\nlib.Use(0)\n}"},
		{text: "for atomic.Load$N(&x.f) == 1<<20 {\n}"},
	}
)

// For fields of a type of sync/atomic.
var (
	methodWrites = []way{
		{text: "x.f.Store(2)"},
		{text: "x.f.Add(2)"},
		{text: "x.f.Swap(2)"},
		{text: "p := &x.f\np.Store(3)"},
		{text: "f := x.f.Store\nf(3)"},
		{text: "x.store()", decl: "func (x *$T) store() { x.f.Store(2) }\n"},
	}
	methodReads = []way{
		{text: "lib.Use(x.f.Load())"},
		{text: "p := &x.f\nlib.Use(p.Load())"},
		{text: "lib.Use(x.load())", decl: "func (x *$T) load() int { return int(x.f.Load()) }\n"},
		{text: "h := struct{ *$T }{x}\nlib.Use(h.f.Load())"},
	}
	methodCopies = []way{ // plain reads
		{text: "y := *x\nlib.Use(y.f.Load())"},
	}
)
