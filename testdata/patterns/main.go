// Command patterns holds data races as Go programs have them, each in a racy
// and a fixed form. Every racy access executes in every run and nothing but
// luck could order it, so the report is owed in every run.
//
//	patterns            lists the cases; NAME(N) takes a number
//	patterns NAME...    runs them, each to its end
//
// A case is a method of racy or fixed. The comments "want" name the lines of
// each race and the expression there; the package cmd/tilab/internal/programs
// defines them.
package main

import (
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
)

type (
	racy  struct{}
	fixed struct{}
)

var forms = []struct {
	prefix string
	cases  reflect.Value
}{{"racy/", reflect.ValueOf(racy{})}, {"fixed/", reflect.ValueOf(fixed{})}}

func main() {
	if len(os.Args) == 1 {
		list()
		return
	}
	for _, name := range os.Args[1:] {
		if !run(name) {
			fmt.Fprintf(os.Stderr, "patterns: no case %q; without arguments all are listed\n", name)
			os.Exit(2)
		}
		fmt.Fprintf(os.Stderr, "case %s ended\n", name)
	}
}

func list() {
	for _, f := range forms {
		for i := range f.cases.NumMethod() {
			suffix := ""
			if f.cases.Method(i).Type().NumIn() > 0 {
				suffix = "(N)"
			}
			fmt.Println(f.prefix + f.cases.Type().Method(i).Name + suffix)
		}
	}
}

// run calls the case, NAME or NAME(NUMBER).
func run(name string) bool {
	name, arg, numbered := strings.Cut(strings.TrimSuffix(name, ")"), "(")
	for _, f := range forms {
		method, ok := strings.CutPrefix(name, f.prefix)
		if !ok {
			continue
		}
		switch c := f.cases.MethodByName(method); {
		case !c.IsValid():
			return false
		case numbered:
			k, err := strconv.Atoi(arg)
			if err == nil && c.Type().NumIn() == 1 {
				c.Interface().(func(int))(k)
				return true
			}
		case c.Type().NumIn() == 0:
			c.Interface().(func())()
			return true
		}
	}
	return false
}
