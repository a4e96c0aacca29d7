package splice

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestFormulas compares the formulas of branches and writes, as the site table has them.
func TestFormulas(t *testing.T) {
	const src = `package main

var (
	flag, other bool
	count int
	small uint8
	word string
	ratio float64
)

func set() {
	flag, other, small, word, ratio = true, flag, 1, "y", 2
}

func main() {
	c := count
	d := c + 1
	e := 0
	e++
	if flag { count = 1 }
	if !flag && other { count = 1 }
	if c > 3 { count = 1 }
	if d*2 <= count { count = 1 }
	if e == 0 { count = 1 }
	if small == 7 { count = 1 }
	if word == "x" { count = 1 }
	if ratio > 1 || flag { count = 1 }
	if f := small; f&1 != 0 { count = 1 }
	count += c
	count--
	count = d - 2
	count /= 2
	other = c < 3
	var g, h = 5, c
	i, j := true, word
	go func() { g, h, i, j = h+g, 1, !i, j }()
}
`
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, list(t, "", "runtime"))
	c, err := w.check(&listed{ImportPath: "main", Name: "main", Dir: dir, GoFiles: []string{"main.go"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Branches = true
	r, err := Package(c)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`\\t([^\\]*)\\t=\d+\\n`).FindAllSubmatch(r.Files[0], -1) {
		got = append(got, regexp.MustCompile(`@\d+`).ReplaceAllString(string(m[1]), "@"))
	}
	want := []string{
		"#1", "@:b1", "#1", // in set
		"(+ @:i8 @:i8)", "#1", "(! @:b1)", // in the function literal
		"@:b1",
		"(&& (! @:b1) @:b1)",
		"(> @:i8 #3)",
		"(<= (* (+ @:i8 #1) #2) @:i8)",
		"(== ? #0)",
		"(== @:u1 #7)",
		"?",
		"(|| ? @:b1)",
		"(!= (& @:u1 #1) #0)",
		"#1", "#1", "#1", "#1", "#1", "#1", "#1", "#1", "#1", // the stores in the branches
		"(+ @:i8 @:i8)",
		"(- @:i8 #1)",
		"(- (+ @:i8 #1) #2)",
		"(< @:i8 #3)",
		"#5", "@:i8", "#1", // g, h and i, captured by reference; c was read
	}
	if !slices.Equal(got, want) {
		t.Errorf("formulas\n%q, want\n%q\n%s", got, want, r.Files[0])
	}
}
