package gocmd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An Own flag is one that a command of taskinstr has beside go's. It sets something in O.
type Own[O any] struct {
	Name, Value string // the form of the value; "": the flag is a switch
	Text        string // for the help; its lines are not indented
	Set         func(o *O, value string) error
}

// Owns are the own flags of a command.
type Owns[O any] []Own[O]

// Find returns the flag of a name, nil if there is none.
func (t Owns[O]) Find(name string) *Own[O] {
	i := slices.IndexFunc(t, func(f Own[O]) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &t[i]
}

// Names returns the names of all flags.
func (t Owns[O]) Names() []string {
	var names []string
	for _, f := range t {
		names = append(names, f.Name)
	}
	return names
}

// Text returns the Set of a flag whose value is a text.
func Text[O any](field func(*O) *string) func(*O, string) error {
	return func(o *O, value string) error {
		*field(o) = value
		return nil
	}
}

// Bool returns the Set of a switch.
func Bool[O any](field func(*O) *bool) func(*O, string) error {
	return func(o *O, value string) (err error) {
		*field(o), err = strconv.ParseBool(value)
		return err
	}
}

// Usage returns the flag as help texts show it.
func (f *Own[O]) Usage() string {
	if f.Value == "" {
		return "-" + f.Name
	}
	return "-" + f.Name + "=" + f.Value
}

// Apply sets the value of the flag w of a command line in o.
func (f *Own[O]) Apply(o *O, w Flag) error {
	v := w.Value
	if v == "" && f.Value == "" {
		v = "true"
	}
	if v == "" {
		return fmt.Errorf("flag -%s needs a value: %s", f.Name, f.Usage())
	}
	if err := f.Set(o, v); err != nil {
		return fmt.Errorf("flag %s: %w", strings.Join(w.Args, " "), err)
	}
	return nil
}

// Help explains the flags.
func (t Owns[O]) Help() string {
	var b strings.Builder
	for _, f := range t {
		fmt.Fprintf(&b, "\t%s\n\t\t%s\n", f.Usage(), strings.ReplaceAll(f.Text, "\n", "\n\t\t"))
	}
	return b.String()
}
