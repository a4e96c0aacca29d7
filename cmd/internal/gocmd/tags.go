package gocmd

import (
	"slices"
	"strings"
)

// AddTag returns list, the value of a -tags flag, with a tag added. Tags are
// separated by commas or, as Go 1.12 wrote them, by spaces.
func AddTag(list, tag string) string {
	tags := strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(", '\"", r) })
	switch {
	case slices.Contains(tags, tag):
		return list
	case len(tags) == 0:
		return tag
	case strings.ContainsAny(list, " '"):
		return list + " " + tag
	}
	return list + "," + tag
}

// Last returns the value of the last flag of that name, which overrides earlier ones;
// given is false if there is none.
func Last(flags []Flag, name string) (value string, given bool) {
	for _, f := range flags {
		if f.Name == name {
			value, given = f.Value, true
		}
	}
	return value, given
}

// WithTag returns the flags with a build tag added to -tags. fixed holds the flags of
// GOFLAGS: if they alone set tags, these are repeated, since a flag on the command line
// overrides GOFLAGS.
func WithTag(fixed, flags []Flag, tag string) []Flag {
	tags, given := Last(flags, "tags")
	if !given {
		tags, _ = Last(fixed, "tags")
	}
	tags = AddTag(tags, tag)
	flags = slices.DeleteFunc(slices.Clone(flags), func(f Flag) bool { return f.Name == "tags" })
	return append(flags, Flag{Name: "tags", Value: tags, Args: []string{"-tags=" + tags}})
}

// Tagged is WithTagArgs with GOFLAGS as the go command has it in the folder dir.
func Tagged(dir string, args []string, tag string) ([]string, error) {
	env, err := Env("", dir, "GOFLAGS")
	if err != nil {
		return nil, err
	}
	return WithTagArgs(env["GOFLAGS"], args, tag), nil
}

// WithTagArgs is WithTag for flags as they are written; goflags is the value of
// GOFLAGS.
func WithTagArgs(goflags string, args []string, tag string) []string {
	fixed, _ := Split(Fields(goflags), None)
	flags, _ := Split(args, None)
	return Args(WithTag(fixed, flags, tag))
}

// Args returns the flags as they are written.
func Args(flags []Flag) []string {
	var args []string
	for _, f := range flags {
		args = append(args, f.Args...)
	}
	return args
}
