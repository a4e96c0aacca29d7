package toolexec

import "os"

// The collector of the compiler takes a fifth of its time for a large package. A compilation is
// short and keeps much of what it allocates, so the compiler collects later here than by itself, as
// long as its memory stays moderate: package runtime takes 6.7 s and 969 MB, and 8.0 s and 425 MB by the compiler's own setting.
const (
	// fewBytes is the size of the sources up to which the compiler does not collect at all: it
	// allocates 250 to 450 bytes for each byte of source.
	fewBytes = 512 << 10
	// fewLimit is where it collects nevertheless, for a small package with very large imports.
	fewLimit = "768MiB"
	// share is the collector's setting for larger packages; the compiler's own is 100.
	share = "400"
)

// collecting returns the settings of the collector for the compilation of the files, to be added to
// the environment. There are none where the user has set some. The compiler's output does not
// depend on them.
func collecting(files []string) []string {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return nil
	}
	size := int64(0)
	for _, f := range files {
		if i, err := os.Stat(f); err == nil { // the compiler says what is wrong with the file
			size += i.Size()
		}
	}
	if size > fewBytes {
		return []string{"GOGC=" + share}
	}
	return []string{"GOGC=off", "GOMEMLIMIT=" + fewLimit}
}
