package ssapass

import (
	"slices"
	"strings"
	"testing"
)

// TestOverwritten: a package says which structs of other packages it overwrites, and no others.
func TestOverwritten(t *testing.T) {
	const src = `package b

import (
	"bytes"
	"log"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"
	"unsafe"
)

type holder struct {
	r strings.Reader
	n int
}

var (
	shared  = new(bytes.Buffer)
	moments []time.Time
	logger  atomic.Pointer[log.Logger]
	lists   = map[string][]*url.Userinfo{}
	held    holder
	pools   [2]sync.Pool
)

func Reset() { *shared = bytes.Buffer{} }

func Hold(h holder) { held = h }

func Sort() { slices.SortFunc(moments, func(a, b time.Time) int { return a.Compare(b) }) }

func Log(l *log.Logger) { logger.Store(l) }

func Users(u *url.Userinfo) { lists[""] = append(lists[""], u) }

func Cast(w *tabwriter.Writer) unsafe.Pointer { return unsafe.Pointer(w) }

func Local() int {
	var m strings.Builder
	m = strings.Builder{}
	return m.Len()
}

func Get() any { return pools[0].Get() }
`
	a := unitOf(t, src)
	got := a.Stationary(func(path string) bool { return path == a.prog.unit.list[0].Path }).Overwritten()
	want := []string{"bytes.Buffer", "strings.Reader", "text/tabwriter.Writer", "text/tabwriter.cell", "time.Time"}
	if !slices.Equal(got, want) {
		t.Errorf("overwritten: %v, want %v", got, want)
	}
}

// TestReflected: a package that sets values by reflection may overwrite all structs to which it has pointers in interfaces.
func TestReflected(t *testing.T) {
	for set, want := range map[string][]string{"_ = v.Kind()": {}, "v.SetZero()": {"bytes.Buffer"}, "reflect.Copy(v, v)": {"bytes.Buffer"}} {
		src := `package b

import (
	"bytes"
	"reflect"
)

func reset(p any) {
	v := reflect.ValueOf(p).Elem()
	` + set + `
}

func Reset(b *bytes.Buffer) { reset(b) }
`
		a := unitOf(t, src)
		got := a.Stationary(func(path string) bool { return path == a.prog.unit.list[0].Path }).Overwritten()
		if !slices.Equal(got, want) {
			t.Errorf("%s: overwritten: %v, want %v", set, got, want)
		}
	}
}

// TestLoads: atomic loads need no record if only first values and atomic operations write their field. Such lines end in "quiet".
func TestLoads(t *testing.T) {
	const src = `package b

import "sync/atomic"

type T struct {
	word    int32
	typed   atomic.Int32
	pointer atomic.Pointer[int]
	value   atomic.Value
	array   [2]atomic.Int32
	reset   atomic.Int64
	plain   int64
	given   int32
	stored  int32
	Public  int32
	inner   struct{ n atomic.Int32 }
	U
}

type U struct{ flag atomic.Bool }

type V struct{ n atomic.Int32 } // overwritten

type W V // has the fields of V

type G[E any] struct {
	n    atomic.Int32
	elem E
}

var where atomic.Pointer[int32]

func New() *T {
	t := &T{word: 1}
	t.plain = 2
	t.typed.Store(3)
	return t
}

func (t *T) Loads() {
	atomic.LoadInt32(&t.word) // quiet
	t.typed.Load()            // quiet
	t.pointer.Load()          // quiet
	t.flag.Load()             // quiet
	t.U.flag.Load()           // quiet
	p := &t.typed
	p.Load() // quiet
	t.value.Load()
	t.array[0].Load()
	t.reset.Load()
	atomic.LoadInt64(&t.plain)
	atomic.LoadInt32(&t.given)
	atomic.LoadInt32(&t.stored)
	atomic.LoadInt32(&t.Public)
	t.inner.n.Load()
}

func (t *T) Change() {
	atomic.AddInt32(&t.word, 1)
	t.typed.CompareAndSwap(1, 2)
	t.reset = atomic.Int64{}
	t.plain = 3
	write(&t.given)
	where.Store(&t.stored)
	v := new(V)
	go func() { v.n.Load() }()
	*v = V{}
}

func write(p *int32) { *p = 1 }

func (w *W) Load() { w.n.Load() }

func (g *G[E]) Load() {
	g.n.Load() // quiet
}

var _ = new(G[int]).Load
`
	a := unitOf(t, src)
	loads := a.Stationary(func(path string) bool { return path == a.prog.unit.list[0].Path }).Loads()
	got := map[int]bool{}
	for pos := range loads {
		got[a.prog.Fset.Position(pos).Line] = true
	}
	for i, line := range strings.Split(src, "\n") {
		if want := strings.HasSuffix(line, "// quiet"); want != got[i+1] {
			t.Errorf("%s: quiet is %v", line, got[i+1])
		}
	}
}
