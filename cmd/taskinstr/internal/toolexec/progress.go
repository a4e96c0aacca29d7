package toolexec

import "os"

// Linking is the note of a link call, after which a program may run and print.
const Linking = "link"

// note appends a line to the file of the wrapper that shows the build's progress: the path of
// a package that is compiled, or Linking. The tool's own output
// cannot tell it, since the go command stores and repeats that output. The build goes on
// without notes that cannot be written.
func note(c *call, file string) {
	line := Linking
	if c.name == "compile" {
		line = c.set["p"]
	}
	if file == "" || c.name == "asm" {
		return
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer f.Close()
	f.WriteString(line + "\n") // in one system call, so that lines do not mix
}
