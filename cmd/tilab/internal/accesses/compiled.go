package accesses

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"taskinstr/internal/golist"
)

// recorded maps the calls that record an access to their kinds: the compiler's own calls,
// and functions of the runtime whose hooks are patched away, since the code that calls them
// has checks.
var recorded = map[string][]Kind{
	callRead:                       {Read},
	"runtime.racereadrange":        {Read},
	"runtime.racewrite":            {Write},
	"runtime.racewriterange":       {Write},
	"runtime.convT":                {Read},
	"runtime.convTnoptr":           {Read},
	"runtime.slicecopy":            {Read, Write},
	"runtime.typedslicecopy":       {Read, Write},
	"runtime.slicebytetostringtmp": {Read},
}

// callRead is the call that records the read of a value of one part.
const callRead = "runtime.raceread"

// isCall reports whether callee only records an access.
func isCall(callee string) bool { return strings.HasPrefix(callee, "runtime.race") }

// atomicFunction reports whether callee is a function of sync/atomic from the race
// detector's library.
func atomicFunction(callee string) bool {
	name, ok := strings.CutPrefix(callee, "sync/atomic.")
	return ok && slices.ContainsFunc([]string{"Load", "Store", "Add", "And", "Or", "Swap", "CompareAndSwap"},
		func(op string) bool { return strings.HasPrefix(name, op) })
}

// An access is a compiler access at one token or, in a package that was not stamped, at one
// line.
type access struct {
	accessKey
	functions []string // symbols of the functions that make the access, sorted
}

// An accessKey identifies an access of one file.
type accessKey struct {
	offset int // of the token in the file, -1 if only the line is known
	line   int
	kind   Kind
	callee string
}

// A listing is the compiler's output for some packages.
type listing struct {
	mu        sync.Mutex
	offsets   map[string][]int                 // by file, the offsets of the tokens of stamped files
	accesses  map[string]map[accessKey]*access // by file
	generated map[string]map[Kind]bool         // by symbol, the accesses of functions without a position
	code      map[string]map[int]bool          // by file, the offsets of the tokens with code
	failed    []error
	// coarse are packages that were compiled without stamps: some releases of the compiler
	// fail on large functions with that many line directives.
	coarse []string
}

// compileAll compiles the requested packages, in the order of their imports.
func (w *world) compileAll(progress func(u *golist.Package)) (*listing, error) {
	l := &listing{
		offsets: map[string][]int{}, accesses: map[string]map[accessKey]*access{},
		generated: map[string]map[Kind]bool{}, code: map[string]map[int]bool{},
	}
	archives := maps.Clone(w.exports)
	done := map[string]chan struct{}{}
	for _, u := range w.units {
		done[u.ImportPath] = make(chan struct{})
	}
	slots := make(chan struct{}, w.parallel)
	var wg sync.WaitGroup
	for _, u := range w.units {
		if !audited(u) {
			close(done[u.ImportPath])
			continue
		}
		wg.Go(func() {
			defer close(done[u.ImportPath])
			for _, path := range u.Imports {
				if d := done[u.Imported(path)]; d != nil {
					<-d
				}
			}
			slots <- struct{}{}
			defer func() { <-slots }()
			if w.ctx.Err() != nil {
				return
			}
			progress(u)
			l.mu.Lock()
			imports := maps.Clone(archives)
			l.mu.Unlock()
			archive, err := w.stampAndCompile(u, imports, l)
			if err != nil && w.ctx.Err() == nil {
				l.forget(u)
				archive, err = w.compile(u, u.Files(), imports, l.add, l.seen)
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			if err != nil {
				l.failed = append(l.failed, err)
				return
			}
			archives[u.ImportPath] = archive
		})
	}
	wg.Wait()
	for _, m := range l.accesses {
		for _, a := range m {
			slices.Sort(a.functions)
		}
	}
	return l, w.ctx.Err()
}

// stampAndCompile compiles u from stamped files.
func (w *world) stampAndCompile(u *golist.Package, archives map[string]string, l *listing) (archive string, err error) {
	dir, err := os.MkdirTemp(w.tmp, "stamped")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	var files []string
	for _, n := range u.Files() {
		src, err := os.ReadFile(n)
		if err != nil {
			return "", err
		}
		out, offsets, ok := stamp(n, src)
		if !ok {
			return "", fmt.Errorf("%s has %d tokens, more than the compiler has line numbers (%d)", n, len(offsets), maxLine)
		}
		l.mu.Lock()
		l.offsets[n] = offsets
		l.mu.Unlock()
		name := filepath.Join(dir, filepath.Base(n))
		if err := os.WriteFile(name, out, 0o666); err != nil {
			return "", err
		}
		files = append(files, name)
	}
	return w.compile(u, files, archives, l.add, l.seen)
}

// forget removes the output for u, which is compiled again without stamps.
func (l *listing) forget(u *golist.Package) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.coarse = append(l.coarse, u.ImportPath)
	for _, n := range u.Files() {
		delete(l.offsets, n)
		delete(l.accesses, n)
		delete(l.code, n)
	}
}

// token returns the offset of the token at the position of c.
func (l *listing) token(c call) (offset int, ok bool) {
	offsets := l.offsets[c.file]
	if !c.stamped || c.line < 1 || c.line > len(offsets) {
		return -1, false
	}
	return offsets[c.line-1], true
}

// seen notes code at the position of c.
func (l *listing) seen(c call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if offset, ok := l.token(c); ok {
		set(l.code, c.file, offset)
	}
}

// set sets m[a][b].
func set[A, B comparable](m map[A]map[B]bool, a A, b B) {
	if m[a] == nil {
		m[a] = map[B]bool{}
	}
	m[a][b] = true
}

// add adds c, if it records an access.
func (l *listing) add(c call) {
	kinds := recorded[c.callee]
	if atomicFunction(c.callee) {
		kinds = []Kind{Atomic}
	}
	if len(kinds) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, kind := range kinds {
		if c.file == generatedFile {
			set(l.generated, c.function, kind)
			continue
		}
		key := accessKey{-1, c.line, kind, c.callee}
		if offset, ok := l.token(c); ok {
			key.offset, key.line = offset, 0
		}
		m := l.accesses[c.file]
		if m == nil {
			m = map[accessKey]*access{}
			l.accesses[c.file] = m
		}
		a := m[key]
		if a == nil {
			a = &access{accessKey: key}
			m[key] = a
		}
		if !slices.Contains(a.functions, c.function) {
			a.functions = append(a.functions, c.function)
		}
	}
}
