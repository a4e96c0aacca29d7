// Command classes holds a program for each class of accesses that the Go compiler
// instruments and taskinstr does not check. It shows why no race is lost: either the
// class takes part in a race, and the report is made all the same, at the place that the
// reason of the class names; or whatever runs beside it can be no race.
//
//	classes NAME...    runs cases: methods of racy or fixed
//
// The first line of a file's comment names the class. The comments "want" are those of
// package cmd/tilab/internal/programs.
package main

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
)

type (
	racy  struct{}
	fixed struct{}
)

func main() {
	for _, name := range os.Args[1:] {
		form, method, _ := strings.Cut(name, "/")
		v := reflect.ValueOf(racy{})
		if form == "fixed" {
			v = reflect.ValueOf(fixed{})
		}
		m := v.MethodByName(method)
		if !m.IsValid() {
			fmt.Fprintf(os.Stderr, "classes: no case %q\n", name)
			os.Exit(2)
		}
		m.Call(nil)
		fmt.Fprintf(os.Stderr, "case %s ended\n", name)
	}
}

// parallel runs f and g as sibling tasks and waits for both.
func parallel(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Go(g)
	wg.Wait()
}

var sunk any

// sink keeps x from being optimized away.
//
//go:norace
//go:noinline
func sink(x any) { sunk = x }
