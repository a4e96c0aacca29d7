//go:build taskinstr_runtime

// The folder of reports (the variable TASKINSTR_REPORTS): a process keeps its reports in a
// file of its own there, as JSON, whatever it prints. Reports that a suppression or the
// baseline silences are kept too: `taskinstr test` tells from them which entries are in
// use.
//
// The variable is none of the options, because the result of a test is cached for the same
// options only, and the folder differs from run to run.

package runtime

// tr_kept is the file. fd is 0 before the first report, -1 if the file cannot be made.
var tr_kept struct{ fd int32 }

// tr_keep keeps a report.
func tr_keep(r *ra_Report, known bool) {
	if tr_opt.folder != "" {
		fd, json := tr_beginKeep()
		tr_reportJSON(r, known)
		tr_endKeep(fd, json)
	}
}

// tr_keepSuppressed keeps the fact that a line of the suppressions has matched.
func tr_keepSuppressed(r *ra_Report, line uintptr) {
	if tr_opt.folder == "" {
		return
	}
	fd, json := tr_beginKeep()
	l, rest := tr_suppressionLine(tr_suppressions.text)
	for ; line > 0; line-- {
		l, rest = tr_suppressionLine(rest)
	}
	tr_puts(`{"type":"suppressed","suppression":`)
	tr_putq(l)
	tr_puts(`,"reports":1,"fingerprint":"`)
	tr_puthex(tr_fingerprint(r), 16)
	tr_puts("\"}\n")
	tr_endKeep(fd, json)
}

// tr_beginKeep directs the output to the file, until tr_endKeep gets the results.
func tr_beginKeep() (fd int32, json bool) {
	tr_flush()
	if tr_kept.fd == 0 {
		tr_kept.fd = tr_createKept()
	}
	fd, json = tr_out.fd, tr_opt.json
	tr_out.fd, tr_opt.json = tr_kept.fd, true
	return fd, json
}

func tr_endKeep(fd int32, json bool) {
	tr_flush()
	tr_out.fd, tr_opt.json = fd, json
}

// tr_createKept creates the file FOLDER/PID-TIME.json. The time distinguishes processes
// that have the same number.
func tr_createKept() int32 {
	var name [4096]byte
	n := copy(name[:len(name)-64], tr_opt.folder)
	folder := n + 1
	n += copy(name[n:], "/")
	n += tr_digits(name[n:], tr_pid())
	n += copy(name[n:], "-")
	n += tr_digits(name[n:], uint64(nanotime()))
	copy(name[n:], ".json")
	fd := tr_create(&name[0])
	if fd < 0 && tr_createFolders(name[:folder]) {
		fd = tr_create(&name[0])
	}
	if fd < 0 {
		print("taskinstr: TASKINSTR_REPORTS: cannot create a file in ", tr_opt.folder, "; reports are not kept there\n")
	}
	return fd
}

// tr_uncache keeps the go command from caching the result of this test binary: a cached
// result would hide the reports. The go command caches no result without a log of the files
// and variables that it depends on.
func tr_uncache() {
	const flag = "-test.testlogfile="
	for _, arg := range argslice {
		if tr_hasPrefix(arg, flag) && len(arg) < 4096+len(flag) {
			var name [4096]byte
			copy(name[:len(name)-1], arg[len(flag):])
			if fd := tr_create(&name[0]); fd >= 0 { // it is empty now
				closefd(fd)
			}
		}
	}
}
