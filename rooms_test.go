package taskinstr

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// A room is a function that an access may pass between the check in instrumented code and the shadow, on
// the quick way: on the task's own stack. These bounds are in docs/design/follow-an-access.md, too.
const (
	mostRooms   = 125
	mostReturns = 268 // return statements, and ends of functions without one
)

// leaving are the functions behind which the access is on another way: to the system stack, or off its
// processor.
var leaving = map[string]bool{"tr_record": true, "tr_siteAt": true, "tr_giveWay": true, "tr_stackKnown": true}

// TestRooms follows all calls from the entry of a check. More rooms, or more ways out of them, need a reason.
func TestRooms(t *testing.T) {
	decls := map[string]*ast.FuncDecl{}
	for _, dir := range []string{"rt/files/engine/parallel", "rt/files/runtime", "detector/mem", "detector/race", "detector/parallel"} {
		files, _ := filepath.Glob(dir + "/*.go")
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && !strings.HasSuffix(name, "_test.go") {
					prefix := ""
					if dir == "detector/mem" && d.Recv == nil {
						prefix = "me_"
					}
					decls[prefix+d.Name.Name] = d
				}
			}
		}
	}
	rooms, returns := map[string]bool{}, 0
	var enter func(name string)
	enter = func(name string) {
		name = strings.TrimPrefix(name, "ti_") // of merged code
		d := decls[name]
		if d == nil || rooms[name] || leaving[name] {
			return
		}
		rooms[name] = true
		if list := d.Body.List; len(list) == 0 || !isReturn(list[len(list)-1]) {
			returns++
		}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			if isReturn(n) {
				returns++
			}
			if c, ok := n.(*ast.CallExpr); ok {
				switch f := c.Fun.(type) {
				case *ast.Ident:
					if own := "me_" + f.Name; strings.HasPrefix(name, "me_") && decls[own] != nil {
						enter(own)
					} else {
						enter(f.Name)
					}
				case *ast.SelectorExpr:
					switch x, _ := f.X.(*ast.Ident); {
					case x != nil && x.Name == "mem":
						enter("me_" + f.Sel.Name)
					case x == nil || x.Name != "unsafe":
						enter(f.Sel.Name)
					}
				}
			}
			return true
		})
	}
	enter("taskinstr_check")
	t.Logf("%d rooms with %d returns", len(rooms), returns)
	if len(rooms) > mostRooms || returns > mostReturns || !rooms["Probe"] || !rooms["Quick"] {
		t.Errorf("%d rooms with %d returns, at most %d and %d are expected", len(rooms), returns, mostRooms, mostReturns)
	}
}

func isReturn(n ast.Node) bool {
	_, ok := n.(*ast.ReturnStmt)
	return ok
}
