//go:build taskinstr_runtime

package runtime

func tr_pid() uint64 { return uint64(getpid()) }

func tr_create(name *byte) int32 {
	return open(name, _O_WRONLY|_O_CREAT|_O_TRUNC, 0666)
}

func tr_open(name *byte) int32 { return open(name, 0, 0) }
