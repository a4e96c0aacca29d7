// Command esbuild bundles and minifies 150 generated JavaScript files.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

const (
	files     = 150
	functions = 12 // in each file
)

// function is the format of one exported function; its arguments are the file, the
// number of the function and a constant.
const function = `export function f%d_%d(a, b) {
  let x = a + b * %d;
  for (let i = 0; i < x; i++) { if (i %% 3 == 0) { x -= i; } else { x = ` + "`t${x}${i}`" + `.length; } }
  const o = {a, b, x, y: [1, 2, 3, ...a], z: ({p, q}) => p?.q ?? q};
  return o.x + o.z({p: 1, q: 2}) /* c */;
}
`

func main() {
	dir := must(os.MkdirTemp("", "esbuild"))
	defer os.RemoveAll(dir)
	var index strings.Builder
	for i := range files {
		var b strings.Builder
		last := i+1 == files
		if !last {
			fmt.Fprintf(&b, "import {f%d_0} from './m%d.js'\n", i+1, i+1)
		}
		for j := range functions {
			fmt.Fprintf(&b, function, i, j, j)
		}
		if !last {
			fmt.Fprintf(&b, "console.log(f%d_0(1, 2), class A extends Object { #x = 1; get y() { return this.#x } })\n", i+1)
		}
		write(dir, fmt.Sprintf("m%d.js", i), b.String())
		fmt.Fprintf(&index, "import * as m%d from './m%d.js'; console.log(m%d)\n", i, i, i)
	}
	write(dir, "index.js", index.String())
	r := api.Build(api.BuildOptions{
		EntryPoints:       []string{filepath.Join(dir, "index.js")},
		Outfile:           filepath.Join(dir, "out.js"),
		Bundle:            true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
		MinifyWhitespace:  true,
		Sourcemap:         api.SourceMapLinked,
		Target:            api.ES2018,
	})
	if len(r.Errors) > 0 {
		log.Fatal(r.Errors[0].Text)
	}
	if len(r.OutputFiles) != 2 || len(r.OutputFiles[1].Contents) == 0 {
		log.Fatalf("%d files were made, want the bundle and its map", len(r.OutputFiles))
	}
}

func write(dir, name, text string) {
	check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
}
