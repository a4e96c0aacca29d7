package kernels

import (
	"bytes"
	"container/list"
	"database/sql"
	"database/sql/driver"
	_ "embed"
	"encoding/gob"
	"encoding/xml"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"html/template"
	"io"
	"log"
	"sync"
)

// These kernels use the standard library as services do. Their tasks share a database, a template, a logger or a cache, whose locks,
// pools and atomic variables begin a new step every few accesses.

// The driver of a database whose tables have five rows.
type (
	fakeDriver struct{}
	fakeConn   struct{}
	fakeStmt   struct{}
	fakeRows   struct{ first, row int64 }
)

func (fakeDriver) Open(string) (driver.Conn, error)          { return &fakeConn{}, nil }
func (*fakeConn) Prepare(string) (driver.Stmt, error)        { return &fakeStmt{}, nil }
func (*fakeConn) Close() error                               { return nil }
func (*fakeConn) Begin() (driver.Tx, error)                  { return nil, errors.ErrUnsupported }
func (*fakeStmt) Close() error                               { return nil }
func (*fakeStmt) NumInput() int                              { return 1 }
func (*fakeStmt) Exec([]driver.Value) (driver.Result, error) { return driver.RowsAffected(1), nil }
func (*fakeStmt) Query(args []driver.Value) (driver.Rows, error) {
	return &fakeRows{first: args[0].(int64)}, nil
}
func (*fakeRows) Columns() []string { return []string{"id", "name"} }
func (*fakeRows) Close() error      { return nil }
func (r *fakeRows) Next(row []driver.Value) error {
	if r.row++; r.row > 5 {
		return io.EOF
	}
	row[0], row[1] = r.first+r.row, "name"
	return nil
}

var database = sync.OnceValue(func() *sql.DB {
	sql.Register("kernels", fakeDriver{})
	db, err := sql.Open("kernels", "")
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(3)
	return db
})

func sqlItem(i int) (sum uint64) {
	rows, err := database().Query("select", i)
	if err != nil {
		return 0
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			return 0
		}
		sum += uint64(id)
	}
	return sum
}

var page = template.Must(template.New("page").Parse(`<title>{{.Name}}</title>{{range $i, $t := .Tags}}<li id="{{$i}}" onclick="f({{$t}})">{{$t}}{{end}}
{{range $k, $v := .Parts}}<a href="/x?{{$k}}={{$v}}">{{printf "%d-%s" $v $k}}</a>{{end}}{{if gt .ID 3}}more{{end}}`))

func templateItem(i int) uint64 {
	var b bytes.Buffer
	if err := page.Execute(&b, record{"<b>", i, []string{"a", "b", "<c>"}, 0.5, map[string]int{"x": 1, "y": i}}); err != nil {
		return 0
	}
	return digest(b.String())
}

func gobItem(i int) (sum uint64) {
	var b bytes.Buffer
	to, from := gob.NewEncoder(&b), gob.NewDecoder(&b)
	for k := range 10 {
		if err := to.Encode(record{"n", i + k, []string{"a"}, 0.5, map[string]int{"x": 1}}); err != nil {
			return 0
		}
	}
	for range 10 {
		var x record
		if err := from.Decode(&x); err != nil {
			return 0
		}
		sum += uint64(x.ID)
	}
	return sum
}

type element struct {
	ID   int      `xml:"id,attr"`
	Name string   `xml:"name"`
	Tags []string `xml:"tag"`
}

func xmlItem(i int) uint64 {
	text, err := xml.Marshal(element{i, "name", []string{"a", "b"}})
	if err != nil {
		return 0
	}
	var back element
	if err := xml.Unmarshal(text, &back); err != nil {
		return 0
	}
	return digest(string(text)) + uint64(back.ID)
}

// The checksum of parseItem depends on this file.
//
//go:embed std.go
var source []byte

func parseItem(i int) uint64 {
	file, err := parser.ParseFile(token.NewFileSet(), "std.go", bytes.Clone(source), parser.ParseComments)
	if err != nil {
		return 0
	}
	n := uint64(i)
	ast.Inspect(file, func(ast.Node) bool { n++; return true })
	return n
}

// A logger whose output is Discard itself formats nothing.
var logger = log.New(struct{ io.Writer }{io.Discard}, "", log.LstdFlags|log.Lshortfile)

func logItem(i int) uint64 {
	logger.Printf("%d %s %v %q", i, "text", 1.5, "quoted")
	return uint64(i)
}

var cached sync.Map

func syncMapItem(i int) uint64 {
	cached.Store(i%1000, i)
	cached.Load((i + 7) % 1000)
	cached.LoadOrStore(i%500, i)
	return uint64(i)
}

var recent = struct {
	sync.Mutex
	order *list.List
	items map[int]*list.Element
}{order: list.New(), items: map[int]*list.Element{}}

func lruItem(i int) uint64 {
	key := i * 7 % 150
	recent.Lock()
	defer recent.Unlock()
	if e := recent.items[key]; e != nil {
		recent.order.MoveToFront(e)
		return uint64(i)
	}
	recent.items[key] = recent.order.PushFront(key)
	if recent.order.Len() > 100 {
		last := recent.order.Back()
		recent.order.Remove(last)
		delete(recent.items, last.Value.(int))
	}
	return uint64(i)
}
