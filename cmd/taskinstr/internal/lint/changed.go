package lint

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A changes holds the lines that differ from a commit: of each file, by its absolute name,
// ranges of lines. A file without ranges is new as a whole.
type changes map[string][]lineRange

type lineRange struct{ first, last int }

// changedSince returns the changes of the work tree around dir since the commit.
func changedSince(dir, rev string) (changes, error) {
	if strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("%q is no revision", rev)
	}
	up, err := git(dir, "rev-parse", "--show-cdup") // not the top itself, whose name may be another one
	if err != nil {
		return nil, err
	}
	root := filepath.Join(dir, filepath.FromSlash(strings.TrimSpace(up)))
	diff, err := git(root, "-c", "core.quotepath=off", "diff", "--no-ext-diff", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", "-U0", rev, "--", "*.go")
	if err != nil {
		return nil, err
	}
	untracked, err := git(root, "-c", "core.quotepath=off", "ls-files", "--others", "--exclude-standard", "--", "*.go")
	if err != nil {
		return nil, err
	}
	c := changes{}
	c.parse(root, diff)
	for name := range strings.Lines(untracked) {
		c[filepath.Join(root, filepath.FromSlash(strings.TrimSpace(name)))] = nil
	}
	return c, nil
}

// parse adds the changed lines of a diff without context.
func (c changes) parse(root, diff string) {
	file := ""
	for l := range strings.Lines(diff) {
		l = strings.TrimRight(l, "\r\n")
		if name, ok := strings.CutPrefix(l, "+++ "); ok {
			file = ""
			if name, ok := strings.CutPrefix(strings.TrimSuffix(name, "\t"), "b/"); ok {
				file = filepath.Join(root, filepath.FromSlash(name))
			}
			continue
		}
		// @@ -first,count +first,count @@
		fields := strings.Fields(l)
		if file == "" || len(fields) < 4 || fields[0] != "@@" {
			continue
		}
		first, count, ok := strings.Cut(strings.TrimPrefix(fields[2], "+"), ",")
		from, err := strconv.Atoi(first)
		n := 1
		if ok {
			n, _ = strconv.Atoi(count)
		}
		if err == nil && n > 0 {
			c[file] = append(c[file], lineRange{from, from + n - 1})
		}
	}
}

func (c changes) has(file string, line int) bool {
	list, ok := c[file]
	for _, r := range list {
		if r.first <= line && line <= r.last {
			return true
		}
	}
	return ok && len(list) == 0
}

func git(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	return string(out), nil
}
