package accesses

import (
	"fmt"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
)

// lineDirective matches the start of a line directive between tokens.
var lineDirective = regexp.MustCompile(`(?m)(^//|/\*)line `)

// maxLine is the greatest line number that the compiler's positions hold
// (cmd/internal/src, lineMax).
const maxLine = 1<<20 - 2

// stamp returns src with a line directive in front of each token. The compiler's listing
// has lines and no columns; from a stamped file, line i is the token at offsets[i-1].
// Directives in src lose their effect. ok is false if there are too many tokens.
func stamp(name string, src []byte) (out []byte, offsets []int, ok bool) {
	fset := token.NewFileSet()
	f := fset.AddFile(name, -1, len(src))
	var s scanner.Scanner
	s.Init(f, src, nil, 0)
	var b strings.Builder
	fmt.Fprintf(&b, "//line %s:1:1\n", name)
	last := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		at := f.Offset(pos)
		offsets = append(offsets, at)
		b.Write(lineDirective.ReplaceAll(src[last:at], []byte("${1}LINE ")))
		if at > 0 && src[at-1] == '/' { // the slash must not begin a comment with the directive
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "/*line :%d:1*/", len(offsets))
		last = at
	}
	b.Write(src[last:])
	return []byte(b.String()), offsets, len(offsets) <= maxLine
}
