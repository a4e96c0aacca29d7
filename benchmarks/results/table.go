package main

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"taskinstr/benchmarks/measure"
)

// A table is a data file.
type table struct {
	about   []string // the lines of its head, without marks
	rows    []map[string]string
	columns []string
}

// load reads the data files of a folder, by name.
func load(dir string) (map[string]*table, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil {
		return nil, err
	}
	if names == nil {
		return nil, fmt.Errorf("%s has no data files", dir)
	}
	tables := map[string]*table{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		t, err := parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		tables[filepath.Base(name)] = t
	}
	return tables, nil
}

// heads are the lines that each data file begins with.
var heads = []string{"go", "machine", "date", "conditions", "command"}

func parse(text string) (*table, error) {
	t := &table{}
	for line := range strings.Lines(text) {
		if about, ok := strings.CutPrefix(line, "# "); ok {
			t.about = append(t.about, strings.TrimSpace(about))
		}
	}
	for i, h := range heads {
		if i >= len(t.about) || !strings.HasPrefix(t.about[i], h+": ") {
			return nil, fmt.Errorf("line %d does not say %q", i+1, "# "+h+": ...")
		}
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comment = '#'
	records, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) < 2 {
		return nil, errors.New("no rows")
	}
	t.columns = records[0]
	for _, rec := range records[1:] {
		row := map[string]string{}
		for i, c := range t.columns {
			row[c] = rec[i]
		}
		t.rows = append(t.rows, row)
	}
	return t, nil
}

// mean returns the geometric mean of a column.
func (t *table) mean(column string) (float64, error) {
	var ratios []float64
	for _, r := range t.rows {
		if r[column] == "" {
			continue
		}
		x, err := strconv.ParseFloat(r[column], 64)
		if err != nil || x <= 0 {
			return 0, fmt.Errorf("%s: %q is no ratio", r["program"], r[column])
		}
		ratios = append(ratios, x)
	}
	if ratios == nil {
		return 0, fmt.Errorf("column %s has no figures", column)
	}
	return measure.GeometricMean(ratios), nil
}

// markdown returns the table as text of a document.
func (t *table) markdown() (string, error) {
	var b strings.Builder
	about := map[string]string{}
	for _, line := range t.about {
		key, value, _ := strings.Cut(line, ": ")
		about[key] = value
	}
	fmt.Fprintf(&b, "`%s`: %s, %s, %s; %s.\n\n", about["command"], about["go"], about["machine"], about["date"], about["conditions"])
	var err error
	switch {
	case slices.Contains(t.columns, "kernel"):
		t.schedules(&b, about)
	case slices.Contains(t.columns, "race_hooks"):
		err = t.budget(&b)
	case slices.Contains(t.columns, "checks"):
		err = t.checks(&b)
	case slices.Contains(t.columns, "to_race"):
		err = t.ratios(&b)
	default:
		t.plain(&b)
		if about["mean"] != "" {
			err = t.meansOf(&b, strings.Split(about["mean"], ", "))
		}
	}
	return b.String(), err
}

// ratios writes the table of the ratios to -race, with the means of its columns.
func (t *table) ratios(b *strings.Builder) error {
	b.WriteString("| program | -race | default | default / -race | memory / -race |\n|---|---|---|---|---|\n")
	for _, r := range t.rows {
		ratio := r["to_race"]
		if r["low"] != "" {
			ratio += " [" + r["low"] + " " + r["high"] + "]"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", r["program"], r["race"], r["default"], ratio, r["memory_to_race"])
	}
	b.WriteString("| geometric mean |")
	for _, c := range []struct {
		name, format string
		owed         bool
	}{{"race", " %.1f |", false}, {"default", " %.1f |", false}, {"to_race", " **%.2f** |", true}, {"memory_to_race", " %.2f |", true}} {
		switch m, err := t.mean(c.name); {
		case err == nil:
			fmt.Fprintf(b, c.format, m)
		case c.owed:
			return err
		default:
			b.WriteString(" |")
		}
	}
	b.WriteString("\n")
	return nil
}

// budget writes the table of the programs' prices, with the means of its columns.
func (t *table) budget(b *strings.Builder) error {
	b.WriteString("| program | -race: hooks | + enter, exit | + accesses = -race | here: hooks | `-passes=none` | default |\n|---|---|---|---|---|---|---|\n")
	t.cells(b)
	return t.means(b, 1, "%.1f")
}

// checks writes the table of executed checks, with the means of the shares.
func (t *table) checks(b *strings.Builder) error {
	t.plain(b)
	return t.means(b, 3, "%.2f")
}

// means writes the row of the geometric means of the columns from the one with number first on.
func (t *table) means(b *strings.Builder, first int, format string) error {
	b.WriteString("| geometric mean " + strings.Repeat("| ", first))
	for i, c := range t.columns[first:] {
		m, err := t.mean(c)
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteString("| ")
		}
		fmt.Fprintf(b, format+" ", m)
	}
	b.WriteString("|\n")
	return nil
}

// meansOf writes the row of the geometric means of the named columns.
func (t *table) meansOf(b *strings.Builder, named []string) error {
	for _, c := range named {
		if !slices.Contains(t.columns[1:], c) {
			return fmt.Errorf("there is no column %q for a mean", c)
		}
	}
	b.WriteString("| geometric mean |")
	for _, c := range t.columns[1:] {
		if !slices.Contains(named, c) {
			b.WriteString(" |")
			continue
		}
		m, err := t.mean(c)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, " %.2f |", m)
	}
	b.WriteString("\n")
	return nil
}

// plain writes a table whose columns are those of the file.
func (t *table) plain(b *strings.Builder) {
	b.WriteString("| " + strings.Join(t.columns, " | ") + " |\n" + strings.Repeat("|---", len(t.columns)) + "|\n")
	t.cells(b)
}

// cells writes the rows of the file, with a dash for a figure that is missing.
func (t *table) cells(b *strings.Builder) {
	for _, r := range t.rows {
		for _, c := range t.columns {
			b.WriteString("| " + cmp.Or(r[c], "–") + " ")
		}
		b.WriteString("|\n")
	}
}

var tableRE = regexp.MustCompile(`(?s)(<!-- table (\S+) -->\n).*?(<!-- end -->)`)

// withTables returns the texts of documents, by name, with each table made anew. Each data file has a table in
// one of them.
func withTables(texts map[string]string, tables map[string]*table) (map[string]string, error) {
	used := map[string]bool{}
	made := map[string]string{}
	var failed error
	for name, text := range texts {
		made[name] = tableRE.ReplaceAllStringFunc(text, func(old string) string {
			m := tableRE.FindStringSubmatch(old)
			t := tables[m[2]]
			if t == nil {
				failed = fmt.Errorf("%s: there is no data file %s", name, m[2])
				return old
			}
			used[m[2]] = true
			body, err := t.markdown()
			if err != nil {
				failed = fmt.Errorf("%s: %s: %w", name, m[2], err)
				return old
			}
			return m[1] + body + "\n" + m[3]
		})
	}
	for name := range tables {
		if failed == nil && !used[name] {
			failed = fmt.Errorf("no table is of %s", name)
		}
	}
	return made, failed
}

var figureRE = regexp.MustCompile(`([\d.]+) ?<!-- (\S+\.csv): (-?\w+) -->`)

// checkFigures compares the figures of a text that name their data with the geometric means, and
// returns their number.
func checkFigures(text string, tables map[string]*table) (n int, err error) {
	for _, m := range figureRE.FindAllStringSubmatch(text, -1) {
		t := tables[m[2]]
		if t == nil {
			return n, fmt.Errorf("there is no data file %s", m[2])
		}
		mean, err := t.mean(m[3])
		if err != nil {
			return n, fmt.Errorf("%s: %w", m[2], err)
		}
		if want := fmt.Sprintf("%.2f", mean); m[1] != want {
			return n, fmt.Errorf("%s is %s in %s, %s", m[1], want, m[2], m[3])
		}
		n++
	}
	return n, nil
}
