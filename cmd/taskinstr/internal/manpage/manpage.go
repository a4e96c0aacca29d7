package manpage

import (
	"fmt"
	"strings"
)

// A Page is a manual page.
type Page struct {
	Name     string // taskinstr-lint
	Section  int
	Short    string // one line
	Synopsis string
	Text     string   // the help text
	See      []string // names of other pages of this section
	Version  string
}

// File returns the name of the page's file.
func (p *Page) File() string { return fmt.Sprintf("%s.%d", p.Name, p.Section) }

// Roff returns the page in the language of man.
func (p *Page) Roff() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q %d \"\" %q \"User Commands\"\n", strings.ToUpper(p.Name), p.Section, "taskinstr "+p.Version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n.SH DESCRIPTION\n", escape(p.Name), escape(p.Short), escape(p.Synopsis))
	verbatim, blank := false, true
	for line := range strings.Lines(p.Text) {
		line = strings.TrimRight(line, "\n")
		indented := strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "  ")
		switch {
		case line == "":
			blank = true
			continue
		case indented && !verbatim:
			b.WriteString(".PP\n.nf\n")
			verbatim = true
		case !indented && verbatim:
			b.WriteString(".fi\n.PP\n")
			verbatim = false
		case blank && verbatim:
			b.WriteString("\n")
		case blank:
			b.WriteString(".PP\n")
		}
		blank = false
		b.WriteString(escape(strings.ReplaceAll(line, "\t", "    ")) + "\n")
	}
	if verbatim {
		b.WriteString(".fi\n")
	}
	if len(p.See) > 0 {
		b.WriteString(".SH SEE ALSO\n")
		for i, s := range p.See {
			end := ","
			if i+1 == len(p.See) {
				end = ""
			}
			fmt.Fprintf(&b, ".BR %s (%d)%s\n", escape(s), p.Section, end)
		}
	}
	return b.String()
}

// escape writes text so that roff takes none of it for a request or an escape.
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
