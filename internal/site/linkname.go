package site

import (
	"go/types"
	"net/url"
	"strings"
)

// LinkName returns the linker's name of a function in the package of that path.
func LinkName(f *types.Func, path string) string {
	return prefix(path) + "." + symbol(f)
}

// symbol is the linker's name of f in its package.
func symbol(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Name()
	}
	t := recv.Type()
	p, ptr := t.(*types.Pointer)
	if ptr {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return f.Name()
	}
	if ptr {
		return "(*" + n.Obj().Name() + ")." + f.Name()
	}
	return n.Obj().Name() + "." + f.Name()
}

// prefix is a package's path as the linker writes it.
func prefix(path string) string {
	slash := strings.LastIndexByte(path, '/')
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		if c <= ' ' || c == '.' && i > slash || c == '%' || c == '"' || c >= 0x7f {
			const hex = "0123456789abcdef"
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// PackageOf returns the path of a function's package, from the linker's name of the function.
func PackageOf(name string) string {
	name, _, _ = strings.Cut(name, "[") // type arguments have paths, too
	slash := strings.LastIndexByte(name, '/') + 1
	last, _, _ := strings.Cut(name[slash:], ".")
	path := name[:slash] + last
	if plain, err := url.PathUnescape(path); err == nil {
		return plain
	}
	return path
}
