package splice

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"taskinstr/internal/golist"
)

// TestUnseen lists operations that the runtime's hooks check. A comment in each line of the
// source says the expected rows: expression, declaration and operation.
func TestUnseen(t *testing.T) {
	const src = `package p

import "sync"

type T struct {
	m  map[string]int
	ch chan int
	mu sync.Mutex
	sync.RWMutex
	cond *sync.Cond
	deep struct{ once [2]sync.Once }
}

type big [200]byte

func (t *T) maps(k string, q map[int32]big, f map[*T]any, g func() map[bool]int) {
	t.m[k] = 1                  // t.m[k]; element of map in field m of T; mapassign_faststr
	t.m["a"]++                  // t.m["a"]; element of map in field m of T; mapassign_faststr
	t.m[k] /= 2                 // t.m[k]; element of map in field m of T; mapassign_faststr // t.m[k]; element of map in field m of T; mapread_faststr
	_ = q[1]                    // q[1]; element of map in variable q; mapread_slow
	_, ok := f[t]               // f[t]; element of map in variable f; mapread_fast64
	g()[ok] = 2                 // g()[ok]; element of map of type map[bool]int; mapassign_slow
	delete(t.m, k)              // t.m[k]; element of map in field m of T; mapdelete_faststr
	clear(t.m)                  // t.m; map in field m of T; mapclear
	for _, t.m["i"] = range t.m { // t.m; map in field m of T; maprange // t.m["i"]; element of map in field m of T; mapassign_faststr
	}
	t.
		m[k] = 3 // nothing begins here
	_ = (t.
		m)["x"]
}

func (t *T) others(b []byte, xs []int, c *chan int) {
	t.ch <- 1          // t.ch; channel of type chan int; send
	close(*c)          // *c; channel of type chan int; close
	_ = append(xs, 1)  // xs; elements of type []int; append
	_ = string(b)      // b; elements of type []byte; string
	select {
	case *c <- 1:      // *c; channel of type chan int; send // *c; channel of type chan int; send@38
	default:
	}
}

func (t *T) locks(l sync.Locker) {
	t.mu.Lock()         // t.mu; field mu of T; sync.Lock
	defer t.mu.Unlock() // t.mu; field mu of T; sync.Unlock // t.mu; field mu of T; sync.Unlock@52
	t.RLock()           // t.RWMutex; field RWMutex of T; sync.RLock
	l.Lock()            // l; variable l; sync.Lock
	t.cond.Wait()       // t.cond.L; field L of sync.Cond; sync.Wait
	t.RLocker().Lock()  // t.RLocker(); value of type sync.Locker; sync.Lock // t.RWMutex; field RWMutex of T; sync.RLocker
	t.deep.once[1].Do(nil) // t.deep.once[1]; element of [2]sync.Once; sync.Do
}

type lock interface { Lock(); Unlock(); Lookup() }

func copies(v T, mu sync.Mutex, p *sync.Mutex, l lock) {
	v.mu.Lock()    // v.mu; field mu of T, a copy; sync.Lock
	v.Lock()       // v.RWMutex; field RWMutex of T, a copy; sync.Lock
	mu.Lock()      // mu; variable mu, a copy; sync.Lock
	p.Lock()       // p; variable p; sync.Lock
	l.Lock()       // l; variable l; sync.Lock
	l.Lookup()
	v.cond.L.Lock() // v.cond.L; field L of sync.Cond; sync.Lock
}
`
	rows := tableOf(t, src)
	var got []string
	for _, r := range rows {
		cols := strings.Split(r, "\t")
		line := strings.Split(cols[0], ":")[1]
		got = append(got, line+": "+strings.Join(cols[1:], "; "))
	}
	var want []string
	for i, line := range strings.Split(src, "\n") {
		for _, c := range strings.Split(line, " // ")[1:] {
			if c := strings.TrimSpace(c); strings.Contains(c, ";") {
				want = append(want, strconv.Itoa(i+1)+": "+c)
			}
		}
	}
	// Operations on another line than the start of their expression.
	want = append(want, "27: t. m[k]; element of map in field m of T; mapassign_faststr@28",
		"29: (t. m)[\"x\"]; element of map in field m of T; mapread_faststr@30")
	slices.Sort(got)
	slices.Sort(want)
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("not wanted: %s", g)
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("missing: %s", w)
		}
	}
}

// TestPositions checks that the table has lines as the user sees them: file names as line
// directives give them, and no column if a directive gives none.
func TestPositions(t *testing.T) {
	const src = `package p

var m map[int]int

func f() {
	m[1] = 1
	/*line x.y:30:7*/m[2] = 2
//line dir/y.y:7
	m[3] = 3
	//line no/directive.y:7
	m[4] = 4
/*line :50:2*/ m[5] = 5
//line /abs/z.y:9
	m[6] = 6
}
`
	var got []string
	for _, r := range tableOf(t, src) {
		pos, _, _ := strings.Cut(r, "\t")
		got = append(got, pos)
	}
	want := []string{"/src/p.go:6:2", "x.y:30:7", "dir/y.y:7", "dir/y.y:9", "dir/y.y:50:3", "/abs/z.y:9"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// tableOf returns the rows of operations in the table of a package.
func tableOf(t *testing.T, src string) (rows []string) {
	t.Helper()
	source, err := golist.Text("p", "/src/p.go", src)
	if err != nil {
		t.Fatal(err)
	}
	r := splice(t, Config{Filename: func(name string) string { return name }, Source: source})
	m := regexp.MustCompile(`\{0x[0-9a-f]+, "p", ("(?:[^"\\]|\\.)*"), \[`).FindSubmatch(r.Files[0])
	if m == nil {
		t.Fatalf("no table in\n%s", r.Files[0])
	}
	blob, err := strconv.Unquote(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	for row := range strings.Lines(blob) {
		row = strings.TrimSuffix(row, "\n")
		if cols := strings.Split(row, "\t"); cols[0] != "" && len(cols) == 4 && !strings.Contains(cols[3], " ") && cols[3] != newRow {
			rows = append(rows, row)
		}
	}
	return rows
}
