//go:build taskinstr_runtime

// Output of reports: one buffer, filled under tr_reportLock and written with as few system
// calls as possible, so that the reports of several tasks do not mix.

package runtime

import "unsafe"

var tr_reportLock mutex

const tr_outSize = 64 << 10

var tr_out struct {
	fd     int32 // 0: not opened yet
	n      uintptr
	base   uintptr
	quoted bool // output is part of a JSON string
}

// tr_puts writes s. Functions that make reports are not inlined, so that programs are
// smaller.
//
//go:noinline
func tr_puts(s string) {
	for i := 0; i < len(s); i++ {
		tr_putc(s[i])
	}
}

func tr_putc(c byte) {
	if !tr_out.quoted {
		tr_putByte(c)
		return
	}
	if c < ' ' {
		tr_out.quoted = false
		tr_puts("\\u00")
		tr_puthex(uint64(c), 2)
		tr_out.quoted = true
		return
	}
	if c == '"' || c == '\\' {
		tr_putByte('\\')
	}
	tr_putByte(c)
}

func tr_putByte(c byte) {
	if tr_out.base == 0 {
		tr_out.base = uintptr(tr_alloc(tr_outSize))
	}
	if tr_out.n == tr_outSize {
		tr_flush()
	}
	*(*byte)(unsafe.Pointer(tr_out.base + tr_out.n)) = c
	tr_out.n++
}

func tr_putn(v uint64) {
	if v >= 10 {
		tr_putn(v / 10)
	}
	tr_putc(byte('0' + v%10))
}

// tr_puthex writes v with at least width digits and no prefix.
func tr_puthex(v uint64, width int) {
	if v >= 16 || width > 1 {
		tr_puthex(v>>4, width-1)
	}
	tr_putc("0123456789abcdef"[v&15])
}

// tr_putq writes s as a JSON string.
func tr_putq(s string) {
	tr_quote()
	tr_puts(s)
	tr_unquote()
}

// tr_quote begins a JSON string.
//
//go:noinline
func tr_quote() {
	tr_putc('"')
	tr_out.quoted = true
}

// tr_unquote ends a JSON string.
//
//go:noinline
func tr_unquote() {
	tr_out.quoted = false
	tr_putc('"')
}

func tr_flush() {
	if tr_out.fd == 0 {
		tr_out.fd = tr_openLog()
	}
	for o := uintptr(0); o < tr_out.n; {
		k := write(uintptr(tr_out.fd), unsafe.Pointer(tr_out.base+o), int32(tr_out.n-o))
		if k <= 0 {
			break
		}
		o += uintptr(k)
	}
	tr_out.n = 0
}

// tr_openLog opens the file that log_path names, or standard error if that fails.
func tr_openLog() int32 {
	switch tr_opt.logPath {
	case "", "stderr":
		return 2
	case "stdout":
		return 1
	}
	var name [4096]byte
	const suffix = 24 // a dot, the process id, the zero byte at the end
	n := copy(name[:len(name)-suffix], tr_opt.logPath)
	if n < len(tr_opt.logPath) {
		print("taskinstr: log_path: the name is longer than ", len(name)-suffix, " bytes; reports go to standard error\n")
		return 2
	}
	name[n] = '.'
	tr_digits(name[n+1:], tr_pid())
	fd := tr_create(&name[0])
	if fd < 0 && tr_createFolders(name[:n]) {
		fd = tr_create(&name[0])
	}
	if fd < 0 {
		print("taskinstr: log_path: cannot create ", tr_opt.logPath, ".PID (does its folder exist, and may the program write there?); reports go to standard error\n")
		return 2
	}
	return fd
}

// tr_fileName writes the name of a file, which an option has given, to name, with a zero byte behind
// it. %p in the option means the process id. It returns false if the name is too long.
func tr_fileName(name []byte, option string) bool {
	n := 0
	for i := 0; i < len(option); i++ {
		if n >= len(name)-24 {
			return false
		}
		if c := option[i]; c != '%' || i+1 == len(option) || option[i+1] != 'p' {
			name[n] = c
			n++
			continue
		}
		i++
		n += tr_digits(name[n:], tr_pid())
	}
	return true
}

// tr_createFolders creates the missing folders of a file's path. It reports whether it has
// created the last one.
func tr_createFolders(path []byte) (created bool) {
	for i := 1; i < len(path); i++ {
		if path[i] == '/' {
			path[i] = 0
			created = tr_createFolder(&path[0])
			path[i] = '/'
		}
	}
	return created
}
