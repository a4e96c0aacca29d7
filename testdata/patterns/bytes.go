package main

import (
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

// Which bytes an access touches: neighbours, wholes and parts, ranges.

type flags struct {
	a, b   bool
	c      uint16
	d      uint32
	nested struct{ lo, hi uint8 }
}

// SubWord writes one byte of a word that another task writes as a whole.
func (racy) SubWord() {
	w := new([8]uint8)
	parallel(func() {
		w[5] = 1 // want race nostock: w[5]
	}, func() {
		*(*uint64)(unsafe.Pointer(w)) = 0 // want race nostock: *(*uint64)(unsafe.Pointer(w))
	})
}

// SubWord: every byte of a word has a task of its own.
func (fixed) SubWord() {
	w := new([8]uint8)
	var wg sync.WaitGroup
	for i := range w {
		wg.Go(func() { w[i]++ })
	}
	wg.Wait()
}

// NarrowFields races on a two-byte field with four others beside it.
func (racy) NarrowFields() {
	f := new(flags)
	parallel(
		func() { f.a = true },
		func() { f.b = true },
		func() { f.c = 1 }, // want race: f.c
		func() { f.c = 2 }, // want race: f.c
		func() { f.d = 1 },
		func() { f.nested.hi = 1 },
	)
}

func (fixed) NarrowFields() {
	f := new(flags)
	parallel(
		func() { f.a = true },
		func() { f.b = true },
		func() { f.c = 1 },
		func() { f.d = 1 },
		func() { f.nested.lo = 1 },
		func() { f.nested.hi = 1 },
	)
}

// Overlap writes bytes 3 to 6 and bytes 6 to 9, through slices.
func (racy) Overlap() {
	b := make([]byte, 16)
	src := []byte("abcd")
	parallel(
		func() { copy(b[3:7], src) },  // want race: b[3:7]
		func() { copy(b[6:10], src) }, // want race: b[6:10]
	)
}

func (fixed) Overlap() {
	b := make([]byte, 16)
	src := []byte("abcd")
	parallel(
		func() { copy(b[3:7], src) },
		func() { copy(b[7:11], src) },
	)
}

type record struct {
	id    int
	name  string
	score [4]float64
}

// StructCopy copies the struct while a field is written.
func (racy) StructCopy() {
	r := &record{name: "a"}
	parallel(func() {
		v := *r // want race: *r
		sink(v)
	}, func() {
		r.score[3] = 1 // want race: r.score[3]
	})
}

func (fixed) StructCopy() {
	r := &record{name: "a"}
	parallel(func() {
		v := r.score[2]
		sink(v)
	}, func() {
		r.score[3] = 1
	})
}

// StructAssign writes the whole struct while a field is read.
func (racy) StructAssign() {
	r := new(record)
	parallel(func() {
		*r = record{id: 1, name: "b"} // want race: *r
	}, func() {
		sink(r.name) // want race: r.name
	})
}

func (fixed) StructAssign() {
	r := new(record)
	var mu sync.Mutex
	parallel(under(&mu, func() { *r = record{id: 1, name: "b"} }), func() {
		mu.Lock()
		sink(r.name)
		mu.Unlock()
	})
}

// StructCompare compares a struct while a field is written.
func (racy) StructCompare() {
	p, q := &point{1, 2}, &point{1, 3}
	parallel(func() {
		sink(*p == *q) // want race: *p
	}, func() {
		p.x = 1 // want race: p.x
	})
}

func (fixed) StructCompare() {
	p, q := &point{1, 2}, &point{1, 3}
	parallel(func() {
		sink(p.x == q.x)
	}, func() {
		p.y = 1
	})
}

// ArrayCopy copies an array while an element is written.
func (racy) ArrayCopy() {
	a := new([100]int)
	parallel(func() {
		v := *a // want race: *a
		sink(v[7])
	}, func() {
		a[99] = 1 // want race: a[99]
	})
}

func (fixed) ArrayCopy() {
	a := new([100]int)
	parallel(func() {
		v := *(*[99]int)(a[:99])
		sink(v[7])
	}, func() {
		a[99] = 1
	})
}

type shape interface{ area() int }
type square struct{ side int }
type rect struct{ w, h int }

func (s *square) area() int { return s.side * s.side }
func (r *rect) area() int   { return r.w * r.h }

// TornInterface may pair the type of one value with the data of another.
func (racy) TornInterface() {
	var s shape = &square{2}
	parallel(func() {
		s = &rect{1, 2} // want race: s
	}, func() {
		v := s // want race: s
		sink(v)
	})
}

func (fixed) TornInterface() {
	var s shape = &square{2}
	var mu sync.Mutex
	parallel(under(&mu, func() { s = &rect{1, 2} }), func() {
		mu.Lock()
		v := s
		mu.Unlock()
		sink(v.area())
	})
}

// TornString may pair the pointer of one string with the length of another.
func (racy) TornString() {
	s := "short"
	parallel(func() {
		s = "a longer one" // want race: s
	}, func() {
		sink(len(s)) // want race: s
	})
}

func (fixed) TornString() {
	s := "short"
	got := make(chan string)
	parallel(func() {
		got <- "a longer one"
	}, func() {
		s = <-got
		sink(len(s))
	})
}

// SharedAppend appends to one variable from two tasks.
func (racy) SharedAppend() {
	var xs []int
	add := func(v int) {
		xs = append(xs, v) // want race: xs
	}
	first(func() { add(1) }, func() { add(2) })
}

func (fixed) SharedAppend() {
	var xs []int
	var mu sync.Mutex
	add := func(v int) {
		mu.Lock()
		defer mu.Unlock()
		xs = append(xs, v)
	}
	first(func() { add(1) }, func() { add(2) })
}

// AppendAliases appends to two headers of one array with room for more.
func (racy) AppendAliases() {
	base := make([]int, 2, 8)
	parallel(func() {
		a := append(base, 1) // want race: append(base, 1)
		sink(a)
	}, func() {
		b := append(base, 2) // want race: append(base, 2)
		sink(b)
	})
}

func (fixed) AppendAliases() {
	base := make([]int, 2, 8)
	parallel(func() {
		a := append(base[:2:2], 1)
		sink(a)
	}, func() {
		b := append(base[:2:2], 2)
		sink(b)
	})
}

// AppendSpread reads the appended slice while an element of it is written.
func (racy) AppendSpread() {
	more := []int{1, 2, 3}
	parallel(func() {
		xs := append([]int{0}, more...) // want race: more
		sink(xs)
	}, func() {
		more[2] = 4 // want race: more[2]
	})
}

func (fixed) AppendSpread() {
	more := []int{1, 2, 3}
	parallel(func() {
		xs := append([]int{0}, more[:2]...)
		sink(xs)
	}, func() {
		more[2] = 4
	})
}

// CopyRange copies from where an element is written.
func (racy) CopyRange() {
	src, dst := make([]int, 1000), make([]int, 1000)
	parallel(func() {
		copy(dst, src) // want race: src
	}, func() {
		src[999] = 1 // want race: src[999]
	})
}

func (fixed) CopyRange() {
	src, dst := make([]int, 1000), make([]int, 999)
	parallel(func() {
		copy(dst, src)
	}, func() {
		src[999] = 1
	})
}

// ClearRange clears a slice of which an element is read.
func (racy) ClearRange() {
	xs := make([]int, 300)
	parallel(func() {
		clear(xs) // want race nostock: xs
	}, func() {
		sink(xs[128]) // want race nostock: xs[128]
	})
}

func (fixed) ClearRange() {
	xs := make([]int, 300)
	parallel(func() {
		clear(xs[:128])
		clear(xs[129:])
	}, func() {
		sink(xs[128])
	})
}

// RangeShared iterates over a slice that another task writes.
func (racy) RangeShared() {
	xs := []int{1, 2, 3}
	parallel(func() {
		sum := 0
		for _, v := range xs { // want race: xs
			sum += v
		}
		sink(sum)
	}, func() {
		xs[1] = 5 // want race: xs[1]
	})
}

func (fixed) RangeShared() {
	xs := []int{1, 2, 3}
	parallel(func() {
		sum := 0
		for i := range xs {
			sum += i
		}
		sink(sum)
	}, func() {
		xs[1] = 5
	})
}

// StringOfBytes converts bytes that are written.
func (racy) StringOfBytes() {
	b := []byte("hello, world, this is long enough to be allocated")
	parallel(func() {
		s := string(b) // want race: b
		sink(s)
	}, func() {
		b[4] = '!' // want race: b[4]
	})
}

func (fixed) StringOfBytes() {
	b := []byte("hello, world, this is long enough to be allocated")
	parallel(func() {
		s := string(b[5:])
		sink(s)
	}, func() {
		b[4] = '!'
	})
}

// MapHeader looks up one key while another one is deleted.
func (racy) MapHeader() {
	m := map[int]int{1: 1, 2: 2}
	first(func() {
		sink(m[1]) // want race: m[1]
	}, func() {
		delete(m, 2) // want race: m[2]
	})
}

func (fixed) MapHeader() {
	m := map[int]int{1: 1, 2: 2}
	parallel(func() { sink(m[1]) }, func() { sink(m[2]) })
}

// MapRange iterates while a key is added.
func (racy) MapRange() {
	m := map[string]int{"a": 1}
	first(func() {
		for k := range m { // want race: m
			sink(k)
		}
	}, func() {
		m["b"] = 2 // want race: m["b"]
	})
}

func (fixed) MapRange() {
	m := map[string]int{"a": 1}
	first(func() {
		for k := range m {
			sink(k)
		}
	}, func() {
		for k, v := range m {
			sink(k)
			sink(v)
		}
	})
}

// MapValue writes through a pointer that two tasks take from a map.
func (racy) MapValue() {
	m := map[int]*point{1: {}}
	set := func(v int) {
		m[1].x = v // want race: m[1].x
	}
	parallel(func() { set(1) }, func() { set(2) })
}

func (fixed) MapValue() {
	m := map[int]*point{1: {}, 2: {}}
	set := func(v int) { m[v].x = v }
	parallel(func() { set(1) }, func() { set(2) })
}

// UnsafeSlice views the same memory through another type.
func (racy) UnsafeSlice() {
	xs := make([]uint32, 4)
	parallel(func() {
		v := unsafe.Slice((*byte)(unsafe.Pointer(&xs[0])), 16)
		v[9] = 1 // want race nostock: v[9]
	}, func() {
		xs[2] = 1 // want race nostock: xs[2]
	})
}

func (fixed) UnsafeSlice() {
	xs := make([]uint32, 4)
	parallel(func() {
		v := unsafe.Slice((*byte)(unsafe.Pointer(&xs[0])), 16)
		v[7] = 1
	}, func() {
		xs[2] = 1
	})
}

// ReflectSet writes a field through reflection.
func (racy) ReflectSet() {
	p := new(struct{ X, Y int })
	field := reflect.ValueOf(p).Elem().Field(1)
	parallel(func() {
		field.SetInt(3) // want race: -
	}, func() {
		sink(p.Y) // want race: p.Y
	})
}

func (fixed) ReflectSet() {
	p := new(struct{ X, Y int })
	field := reflect.ValueOf(p).Elem().Field(1)
	parallel(func() {
		field.SetInt(3)
	}, func() {
		sink(p.X)
	})
}

// ReflectCopy copies a slice through reflection.
func (racy) ReflectCopy() {
	src, dst := make([]int64, 64), make([]int64, 64)
	parallel(func() {
		reflect.Copy(reflect.ValueOf(dst), reflect.ValueOf(src)) // want race: -
	}, func() {
		src[63] = 1 // want race: src[63]
	})
}

func (fixed) ReflectCopy() {
	src, dst := make([]int64, 64), make([]int64, 64)
	parallel(func() {
		reflect.Copy(reflect.ValueOf(dst), reflect.ValueOf(src[:63]))
	}, func() {
		src[63] = 1
	})
}

// ReflectZero overwrites a struct through reflection with one that is all zero, which Go's own detector does not see.
func (racy) ReflectZero() {
	p := &counted{n: 1}
	parallel(func() {
		reflect.ValueOf(p).Elem().Set(reflect.ValueOf(counted{})) // want race: -
	}, func() {
		sink(p.n) // want race: p.n
	})
}

func (fixed) ReflectZero() {
	p, q := &counted{n: 1}, &counted{n: 1}
	parallel(func() {
		reflect.ValueOf(p).Elem().SetZero()
	}, func() {
		sink(q.n)
	})
}

// ReflectClear clears a slice through reflection.
func (racy) ReflectClear() {
	s := make([]int64, 8)
	parallel(func() {
		reflect.ValueOf(s).Clear() // want race: -
	}, func() {
		s[7] = 1 // want race: s[7]
	})
}

func (fixed) ReflectClear() {
	s := make([]int64, 8)
	parallel(func() {
		reflect.ValueOf(s[:7]).Clear()
	}, func() {
		s[7] = 1
	})
}

type counted struct {
	name [2]int64
	n    uint16
}

// RangeField counts in a field of another type than int.
func (racy) RangeField() {
	p := new(counted)
	parallel(func() {
		for p.n = range 3 { // want race: p.n
		}
	}, func() {
		sink(p.n) // want race: p.n
	})
}

func (fixed) RangeField() {
	p := new(counted)
	parallel(func() {
		for p.n = range 3 {
		}
	}, func() {
		sink(p.name)
	})
}

type base struct{ n int }

func (b *base) inc() {
	b.n++ // want(racy/Embedded) race: b.n // want(racy/MethodValue) race 2: b.n
}

func (b base) get() int { return b.n }

type derived struct {
	pad int
	*base
}

// Embedded reaches one field through two embedding structs.
func (racy) Embedded() {
	b := new(base)
	d, e := &derived{base: b}, &derived{base: b}
	parallel(func() { d.inc() }, func() { e.inc() })
}

func (fixed) Embedded() {
	d, e := &derived{base: new(base)}, &derived{base: new(base)}
	parallel(func() { d.inc() }, func() { e.inc() })
}

// MethodValue calls a bound method in two tasks.
func (racy) MethodValue() {
	f := new(base).inc
	parallel(f, f)
}

func (fixed) MethodValue() {
	parallel(new(base).inc, new(base).inc)
}

// ValueReceiver copies the receiver from behind the pointer at the call.
func (racy) ValueReceiver() {
	b := new(base)
	parallel(func() {
		b.n = 1 // want race: b.n
	}, func() {
		sink(b.get()) // want race: *b
	})
}

func (fixed) ValueReceiver() {
	b := new(base)
	v := *b
	parallel(func() {
		b.n = 1
	}, func() {
		sink(v.get())
	})
}

type cell[T any] struct {
	before byte
	v      T
	after  byte
}

func (c *cell[T]) set(v T) {
	c.v = v // want(racy/GenericByte) race: c.v // want(racy/GenericWide) race 2: c.v
}

// GenericByte races on a one-byte type argument.
func (racy) GenericByte() {
	c := new(cell[uint8])
	parallel(func() { c.set(1) }, func() { c.set(2) }, func() { c.before, c.after = 1, 1 })
}

func (fixed) GenericByte() {
	c := new(cell[uint8])
	parallel(func() { c.set(1) }, func() { c.before = 1 }, func() { c.after = 1 })
}

// GenericWide races on the last byte of a large type argument.
func (racy) GenericWide() {
	c := new(cell[[33]byte])
	parallel(func() {
		c.set([33]byte{})
	}, func() {
		c.v[32] = 1 // want race 2: c.v[32]
	}, func() {
		c.after = 1
	})
}

func (fixed) GenericWide() {
	c := new(cell[[33]byte])
	parallel(func() { c.set([33]byte{}) }, func() { c.before = 1 }, func() { c.after = 1 })
}

func sum[S ~[]E, E ~int | ~float64](s S) (t E) {
	for i := range s {
		t += s[i] // want(racy/GenericSlice) race: s[i]
	}
	return t
}

// GenericSlice reads a slice in a generic function.
func (racy) GenericSlice() {
	xs := []float64{1, 2, 3}
	parallel(func() {
		sink(sum(xs))
	}, func() {
		xs[2] = 0 // want race: xs[2]
	})
}

func (fixed) GenericSlice() {
	xs := []float64{1, 2, 3}
	parallel(func() {
		sink(sum(xs[:2]))
	}, func() {
		xs[2] = 0
	})
}

var hits struct{ left, right int }

// Global increments a package variable in two tasks.
func (racy) Global() {
	parallel(
		func() { hits.left++ }, // want race: hits.left
		func() { hits.left++ }, // want race: hits.left
	)
}

func (fixed) Global() {
	parallel(func() { hits.left++ }, func() { hits.right++ })
}

// TupleAssign swaps two elements while one of them is read.
func (racy) TupleAssign() {
	xs := []int{1, 2, 3}
	parallel(func() {
		xs[0], xs[1] = xs[1], xs[0] // want race: xs[1]
	}, func() {
		sink(xs[1]) // want race: xs[1]
	})
}

func (fixed) TupleAssign() {
	xs := []int{1, 2, 3}
	parallel(func() {
		xs[0], xs[1] = xs[1], xs[0]
	}, func() {
		sink(xs[2])
	})
}

// Builder shares a strings.Builder: the accesses are those of the library.
func (racy) Builder() {
	var b strings.Builder
	b.Grow(64)
	first(
		func() { b.WriteByte('x') }, // want race: -
		func() { b.WriteByte('y') }, // want race: -
	)
	sink(b.Len())
}

func (fixed) Builder() {
	var b strings.Builder
	var mu sync.Mutex
	write := func(c byte) {
		mu.Lock()
		defer mu.Unlock()
		b.WriteByte(c)
	}
	first(func() { write('x') }, func() { write('y') })
	sink(b.Len())
}

// ClosureSlot writes a variable that two closures of one function share.
func (racy) ClosureSlot() {
	get, set := accessors()
	parallel(func() { set(1) }, func() { sink(get()) })
}

func accessors() (get func() int, set func(int)) {
	v := 0
	get = func() int {
		return v // want(racy/ClosureSlot) race: v
	}
	set = func(n int) {
		v = n // want(racy/ClosureSlot) race: v
	}
	return get, set
}

func (fixed) ClosureSlot() {
	_, set := accessors()
	get, _ := accessors()
	parallel(func() { set(1) }, func() { sink(get()) })
}

// FarElement touches the two ends of a large array and one element twice.
func (racy) FarElement() {
	a := make([]uint8, 1<<20)
	parallel(
		func() { a[0], a[1<<20-1] = 1, 1 }, // want race: a[1<<20-1]
		func() { a[1<<20-1] = 2 },          // want race: a[1<<20-1]
	)
}

func (fixed) FarElement() {
	a := make([]uint8, 1<<20)
	half := len(a) / 2
	fill := func(s []uint8) {
		for i := range s {
			s[i] = 1
		}
	}
	parallel(func() { fill(a[:half]) }, func() { fill(a[half:]) })
}
