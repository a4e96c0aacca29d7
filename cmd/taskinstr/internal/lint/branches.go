package lint

import (
	"fmt"
	"io"
	"strings"

	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/outfile"
	"taskinstr/internal/site"
	"taskinstr/internal/splice"
)

// A branch is an if statement in a build with -branches=on.
type branch struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Package  string   `json:"package"`
	Recorded int      `json:"recorded"`           // accesses of one side that the other side records
	Left     []string `json:"left_out,omitempty"` // the reasons why other accesses are not recorded
}

// listBranches prints the if statements of the listed packages, and the accesses of the
// side not taken that a build with -branches=on records.
func listBranches(o *options, progress *terminal.Progress, w io.Writer) error {
	defer progress.Clear()
	p, dir, err := load(o, progress)
	if err != nil {
		return err
	}
	list := []branch{}
	for _, pkg := range listedPackages(p, o.deps) {
		if _, skip := site.Skip(pkg.PkgPath); skip {
			continue
		}
		r, err := splice.Package(splice.Config{Source: p.Source(pkg), Branches: true})
		if err != nil {
			return err
		}
		for _, n := range r.Branches {
			list = append(list, branch{shown(n.File, dir), n.Line, pkg.PkgPath, n.Recorded, n.Left})
		}
	}
	progress.Clear()
	if o.format == "json" {
		return outfile.WriteJSON(w, struct {
			Branches []branch `json:"branches"`
		}{list})
	}
	statements, recorded := 0, 0
	for _, b := range list {
		if b.Recorded > 0 {
			statements++
		}
		recorded += b.Recorded
		if o.summary {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s:%d: %s\n", b.File, b.Line, b.text()); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(w, "%d of %d if statements record %d accesses of their other sides\n", statements, len(list), recorded)
	return err
}

func (b *branch) text() string {
	s := fmt.Sprintf("%d accesses recorded", b.Recorded)
	switch {
	case b.Recorded == 1:
		s = "1 access recorded"
	case b.Recorded == 0 && len(b.Left) == 0:
		s = "nothing to record: the sides access nothing that is shared"
	case b.Recorded == 0:
		return "left alone: " + strings.Join(b.Left, "; ")
	}
	if len(b.Left) > 0 {
		s += "; left out: " + strings.Join(b.Left, "; ")
	}
	return s
}
