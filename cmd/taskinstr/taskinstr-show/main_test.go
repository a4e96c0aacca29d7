package main

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"taskinstr/cmd/internal/exitcode"
)

const sum = `{"title": "Slowdown", "modes": ["race"], "groups": [{"name": "Sum", "bars": [{"ratio": 8, "low": 7, "high": 9}]}]}`

func TestChart(t *testing.T) {
	var svg, picture, stderr bytes.Buffer
	if code := run([]string{"chart", "svg"}, strings.NewReader(sum), &svg, &stderr); code != exitcode.OK || !strings.Contains(svg.String(), ">Sum<") {
		t.Errorf("code %d, %s\n%s", code, &stderr, &svg)
	}
	if code := run([]string{"chart", "png"}, strings.NewReader(sum), &picture, &stderr); code != exitcode.OK {
		t.Errorf("code %d, %s", code, &stderr)
	}
	if _, err := png.DecodeConfig(&picture); err != nil {
		t.Error(err)
	}
}

func TestBad(t *testing.T) {
	for _, test := range []struct {
		args  string
		stdin string
		code  int
		want  string
	}{
		{"", "", exitcode.Usage, "use these commands instead"},
		{"chart", sum, exitcode.Usage, "use these commands instead"},
		{"chart pdf", sum, exitcode.Usage, "use these commands instead"},
		{"chart svg", "{", exitcode.Failed, "taskinstr bench: the description of the chart cannot be read"},
		{"serve", "", exitcode.Usage, "use these commands instead"},
		{"serve -root=x", "", exitcode.Usage, "use these commands instead"},
		{"serve -port=1 x", "", exitcode.Usage, "use these commands instead"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(strings.Fields(test.args), strings.NewReader(test.stdin), &stdout, &stderr)
		if code != test.code || stdout.Len() > 0 || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%q: code %d, %s%s", test.args, code, &stdout, &stderr)
		}
	}
}
