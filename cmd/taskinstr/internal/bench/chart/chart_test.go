package chart

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// A description arrives as it was.
func TestRead(t *testing.T) {
	c := &Chart{"title", []string{"race", "all"}, []Group{{"Sum", []Bar{{8, 7, 9}, {Ratio: 2}}}}}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Read(bytes.NewReader(text)); err != nil || !reflect.DeepEqual(got, c) {
		t.Errorf("%+v, error %v", got, err)
	}
}

func TestReadBad(t *testing.T) {
	for text, want := range map[string]string{
		``:               "cannot be read: EOF",
		`{"title": 1}`:   "cannot be read",
		`{"titel": "x"}`: `unknown field "titel"`,
		`{"modes": ["race", "all"], "groups": [{"name": "Sum", "bars": [{"ratio": 2}]}]}`: "the group Sum of the chart has 1 bars for 2 modes",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
