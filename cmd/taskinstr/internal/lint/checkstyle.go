package lint

import (
	"encoding/xml"
	"io"

	"taskinstr/cmd/taskinstr/internal/outfile"
)

// The format of Checkstyle's XMLLogger (https://checkstyle.org), which many
// review tools read.
type checkstyle struct {
	XMLName xml.Name          `xml:"checkstyle"`
	Version string            `xml:"version,attr"`
	Files   []*checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"`
	Column   int    `xml:"column,attr"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

// writeCheckstyle prints the sites by file. All have the severity info: no site is an
// error.
func (r *Report) writeCheckstyle(w io.Writer) error {
	out := checkstyle{Version: "5.0"}
	files := map[string]*checkstyleFile{}
	for _, s := range r.Sites {
		f := files[s.File]
		if f == nil {
			f = &checkstyleFile{Name: s.File}
			files[s.File] = f
			out.Files = append(out.Files, f)
		}
		f.Errors = append(f.Errors, checkstyleError{s.Line, s.Column, "info", s.Subject() + ": " + s.Verdict(), "taskinstr." + s.rule()})
	}
	return outfile.WriteXML(w, out)
}

// rule returns the name under which the site is filed: the pass that decided, or "kept".
func (s *Site) rule() string {
	if s.Pass == "" {
		return string(Kept)
	}
	return s.Pass
}
