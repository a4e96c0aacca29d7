//go:build taskinstr_runtime

package runtime

// tr_pid distinguishes the log files of processes. On this system the runtime has no
// getpid, so it returns the start time.
func tr_pid() uint64 { return uint64(runtimeInitTime) }

func tr_create(name *byte) int32 {
	return open(name, _O_WRONLY|_O_CREAT|_O_TRUNC, 0666)
}

func tr_open(name *byte) int32 { return open(name, 0, 0) }

// tr_createFolder fails: the runtime cannot create folders on this system.
func tr_createFolder(name *byte) bool { return false }
