package explored

import (
	"errors"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	text := `{"event":"start","tests":2}
{"event":"finding","kind":"race","first":7}
{"event":"end"}
`
	var list []Event
	keep := func(e Event) error {
		list = append(list, e)
		return nil
	}
	if err := Read(strings.NewReader(text), keep); err != nil || len(list) != 3 || list[0].Tests != 2 || list[1].Kind != "race" || list[1].First != 7 {
		t.Errorf("%+v, error %v", list, err)
	}
	for _, test := range []struct{ text, want string }{
		{`{"event":"start"}`, "has not come to its end"},
		{"", "has not come to its end"},
		{"x\n", `"x" is no event: invalid character`},
	} {
		if err := Read(strings.NewReader(test.text), keep); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %s", test.text, err, test.want)
		}
	}
	enough := errors.New("enough")
	if err := Read(strings.NewReader(text), func(Event) error { return enough }); err != enough {
		t.Errorf("error %v, want that of the function", err)
	}
}

func TestOnly(t *testing.T) {
	if got := string(Only([]byte("go: downloading m\n{\"event\":\"end\"}\ntaskinstr test: an error"))); got != "{\"event\":\"end\"}\n" {
		t.Errorf("%q", got)
	}
}
