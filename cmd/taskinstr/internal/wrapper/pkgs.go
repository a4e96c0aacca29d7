package wrapper

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/scope"
)

// mark turns -pkgs into compiler flags. The selection is then a part of each package's
// identity in the build cache and not of the compiler's: another selection recompiles
// only the packages that it adds or drops, and the go command itself reads the patterns.
//
// The go command gives a package the flags of the last -gcflags that matches it, so the
// user's flags are repeated beside the mark. That requires that they are the same for all
// packages and that -gcflags can express the patterns. Otherwise mark returns nil, and
// the option stays a part of the compiler's identity. user holds the flags of GOFLAGS
// and the command line.
func mark(o *option.Set, user []gocmd.Flag) []string {
	all, ok := compilerFlags(user)
	if !ok {
		return nil
	}
	var args []string
	for _, p := range o.Pkgs {
		if strings.HasPrefix(p, "-") || strings.Contains(p, "=") || filepath.IsAbs(p) {
			return nil // -gcflags cannot express it
		}
		args = append(args, "-gcflags="+p+"="+strings.TrimSpace(all+" "+option.Mark))
	}
	o.Wrapper = option.ByMark
	return args
}

// judge returns an error if a pattern of -pkgs selects none of the packages of a build in
// the folder dir, and prints a warning if no selected package gets checks. If packages are
// marked, it replaces the patterns in the options by import paths where necessary: the
// tools know no folders and must select the same packages.
func judge(o *option.Set, dir string, pkgs []scope.Package, stderr io.Writer) error {
	sel, err := scope.New(dir, o.Pkgs)
	selects := scope.ByFolder(dir)
	if o.Wrapper != option.ByMark {
		if err != nil {
			return err
		}
		selects = sel.ByPath()
	}
	v := scope.Judge(o.Pkgs, pkgs, selects)
	if err := v.Err(); err != nil {
		return err
	}
	if v.Checked == 0 {
		fmt.Fprintf(stderr, "taskinstr: warning: %s\n", scope.Nothing(o.Pkgs))
	}
	if o.Wrapper == option.ByMark && (err != nil || !slices.Equal(v.Selected, scope.Judge(o.Pkgs, pkgs, sel.ByPath()).Selected)) {
		o.Pkgs = nil
		for _, p := range v.Selected {
			o.Pkgs = append(o.Pkgs, p.Path)
		}
		slices.Sort(o.Pkgs)
		o.Pkgs = slices.Compact(o.Pkgs)
	}
	return nil
}
