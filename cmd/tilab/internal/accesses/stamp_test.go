package accesses

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestStamp checks that each identifier of a stamped text has the number of its token.
func TestStamp(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{
		"division":  "package p\n\nvar a, b, c int\n\nvar d = a / b / c\n",
		"quotient":  "package p\n\nfunc f(a *int, b int) int { b/=*a; return b/ *a }\n",
		"directive": "package p\n\n//line other.y:7\nvar a int\n\nvar b /*line third.y:9:1*/ int\n",
		"comments":  "package p // c\n\n/* d\n */ var a /* e */ int // f\n",
		"semicolon": "package p\n\nfunc f() {\n\treturn\n}; var x = []int{\n\t1,\n}\n",
	}
	for _, name := range append(files, filepath.Join(runtime.GOROOT(), "src", "strings", "replace.go")) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	for name, text := range texts {
		out, offsets, ok := stamp("/x/p.go", []byte(text))
		if !ok {
			t.Errorf("%s: too many tokens", name)
		}
		want, got := identifiers(t, text), identifiers(t, string(out))
		if len(want) != len(got) {
			t.Errorf("%s: %d identifiers instead of %d\n%s", name, len(got), len(want), out)
			continue
		}
		for i, id := range got {
			switch {
			case id.at.Filename != "/x/p.go" || id.at.Line < 1 || id.at.Line > len(offsets):
				t.Errorf("%s: %s at %v", name, id.name, id.at)
			case offsets[id.at.Line-1] != want[i].at.Offset:
				t.Errorf("%s: %s has the token at %d instead of %d", name, id.name, offsets[id.at.Line-1], want[i].at.Offset)
			}
		}
	}
}

type identifier struct {
	name string
	at   token.Position
}

func identifiers(t *testing.T, text string) (list []identifier) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			list = append(list, identifier{id.Name, fset.Position(id.Pos())})
		}
		return true
	})
	return list
}

func TestStampTooMany(t *testing.T) {
	text := "package p\n\nvar x = " + strings.Repeat("- ", maxLine) + "1\n"
	if _, _, ok := stamp("p.go", []byte(text)); ok {
		t.Error("a file with more tokens than line numbers is accepted")
	}
}
