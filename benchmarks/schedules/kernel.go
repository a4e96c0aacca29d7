package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// dir is the folder of the kernels, below the module's root.
const dir = "testdata/kernels"

// A kernel is a line of the table in the kernels' doc.go.
type kernel struct {
	name  string // of the test, without "Test"
	class string
	cause string
	shown string
}

// line is a line of the table: four columns with at least two spaces between them.
var line = regexp.MustCompile(`(?m)^//\t(\w+) {2,}((?:non-)?blocking) {2,}(\S+(?: \S+)*) {2,}(\S+)$`)

// load returns the kernels of a folder.
func load(dir string) ([]kernel, error) {
	text, err := os.ReadFile(filepath.Join(dir, "doc.go"))
	if err != nil {
		return nil, err
	}
	var list []kernel
	for _, m := range line.FindAllStringSubmatch(string(text), -1) {
		list = append(list, kernel{name: m[1], class: m[2], cause: m[3], shown: m[4]})
	}
	if list == nil {
		return nil, errors.New("doc.go has no table of kernels")
	}
	return list, nil
}

// choose returns the kernels whose names match.
func choose(list []kernel, run *regexp.Regexp) (chosen []kernel, err error) {
	for _, k := range list {
		if run.MatchString(k.name) {
			chosen = append(chosen, k)
		}
	}
	if chosen == nil {
		return nil, fmt.Errorf("-run: no kernel matches %q; %s/doc.go lists them", run, dir)
	}
	return chosen, nil
}

// tests returns the value of -run for the kernels and their fixed forms.
func tests(list []kernel) string {
	var names []string
	for _, k := range list {
		names = append(names, k.name)
	}
	return "^Test(" + strings.Join(names, "|") + ")(Fixed)?$"
}
