package toolexec

import "strings"

// trimmer returns the function that maps a file name to the one that the
// compiler records, given the value of -trimpath: rules "prefix" and
// "prefix=>replacement", separated by semicolons, of which the first that
// matches whole leading elements of the name applies. GOROOT, which the
// compiler writes as a variable and the linker puts back, needs no rule.
func trimmer(rules string) func(string) string {
	type rule struct{ prefix, replacement string }
	var list []rule
	for _, r := range strings.Split(rules, ";") {
		var x rule
		x.prefix = r
		if i := strings.LastIndex(r, "=>"); i >= 0 {
			x.prefix, x.replacement = r[:i], r[i+len("=>"):]
		}
		if x.prefix != "" {
			list = append(list, x)
		}
	}
	return func(name string) string {
		for _, r := range list {
			rest, ok := strings.CutPrefix(name, r.prefix)
			switch {
			case !ok:
			case rest == "":
				return r.replacement
			case rest[0] != '/' && rest[0] != '\\':
			case r.replacement == "":
				return rest[1:]
			default:
				return r.replacement + rest
			}
		}
		return name
	}
}
