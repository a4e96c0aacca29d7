package manpage

import "testing"

func TestRoff(t *testing.T) {
	p := &Page{Name: "x-y", Section: 1, Short: "does it", Synopsis: "x y [flags]", Version: "v1", See: []string{"x", "x-z"}, Text: `Title

First line
.second line with \ and 'quote'

	-flag=VALUE
		text

	.other
'last
`}
	want := `.TH "X-Y" 1 "" "taskinstr v1" "User Commands"
.SH NAME
x\-y \- does it
.SH SYNOPSIS
.B x y [flags]
.SH DESCRIPTION
.PP
Title
.PP
First line
\&.second line with \e and 'quote'
.PP
.nf
    \-flag=VALUE
        text

    .other
.fi
.PP
\&'last
.SH SEE ALSO
.BR x (1),
.BR x\-z (1)
`
	if got := p.Roff(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if p.File() != "x-y.1" {
		t.Errorf("file %s", p.File())
	}
}
