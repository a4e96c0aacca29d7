package ssapass

import (
	"slices"
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
