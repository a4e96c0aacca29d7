//go:build taskinstr_runtime

package runtime

// tr_pid distinguishes the log files of processes by their start time.
func tr_pid() uint64 { return uint64(runtimeInitTime) }

// tr_create fails: the runtime cannot create files on this system.
func tr_create(name *byte) int32 { return -1 }

// tr_open fails: the runtime cannot open files on this system.
func tr_open(name *byte) int32 { return -1 }

// tr_createFolder fails: the runtime cannot create folders on this system.
func tr_createFolder(name *byte) bool { return false }
