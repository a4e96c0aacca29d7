package detect

import (
	"bufio"
	"bytes"
	"errors"
	"strings"
	"testing"

	"taskinstr/detector/offline/suite"
	"taskinstr/detector/trace"
)

// A detector that has not analysed the run is listed with its reason, and with no theorem.
func TestRefused(t *testing.T) {
	r := &suite.Result{Choice: suite.Choice{Name: "graph"}, Refused: errors.New("too large"), Symbols: new(trace.Symbols), Late: -1}
	for _, x := range []struct {
		json bool
		want string
	}{
		{false, "graph: not analysed: too large\n"},
		{true, `"verdict":"not analysed: too large","theorem":"",`},
	} {
		var b bytes.Buffer
		o := output{w: bufio.NewWriter(&b), json: x.json, symbols: r.Symbols}
		o.table([]*suite.Result{r})
		o.w.Flush()
		if !strings.Contains(b.String(), x.want) {
			t.Errorf("json %v: %s lacks %q", x.json, &b, x.want)
		}
	}
}
