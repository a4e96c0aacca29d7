// Command goldmark converts documents to HTML with one converter that eight tasks share.
package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

const (
	tasks     = 8
	documents = 20 // of each task
)

// document returns a document of n sections.
func document(n int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "# Section %d\n\nA *paragraph* with `code`, a [link](https://example.org/%d \"title\"), **strong\ntext** and ~~none~~.\n\n", i, i)
		fmt.Fprintf(&b, "| left | right |\n|:--|--:|\n| a%d | b%d |\n\n- [x] done\n- item\n  1. one\n  2. two\n\n> A quote\n> of two lines.\n\n", i, i)
		fmt.Fprintf(&b, "```go\nfunc f%d() int { return %d }\n```\n\nA note[^%d] and www.example.org.\n\n[^%d]: Its text.\n\n", i, i, i, i)
	}
	return []byte(b.String())
}

func main() {
	converter := goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.Typographer),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	)
	sizes := make([][documents]int, tasks)
	var wg sync.WaitGroup
	for t := range tasks {
		wg.Go(func() {
			for i := range documents {
				var out bytes.Buffer
				check(converter.Convert(document(4+i), &out))
				sizes[t][i] = out.Len()
			}
		})
	}
	wg.Wait()
	alike(sizes)
}
