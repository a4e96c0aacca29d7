//go:build taskinstr_runtime

// The environment of child processes under a schedule. A test may run its own binary again. The child would
// write its record over that of this process, and replay what is none of its choices. So the variable TASKINSTR
// that a child inherits has no options of the schedule: a child runs as without one.

package runtime

import "unsafe"

// tr_scheduleKeys are the options of the schedule.
var tr_scheduleKeys = [...]string{"schedule=", "hold=", "record=", "clock=", "counts=", "access=", "cryptorand="}

// tr_hideSchedule removes the options of the schedule from the environment that package syscall copies. The
// strings of the options in use refer to the old text, which stays.
func tr_hideSchedule() {
	const variable = "TASKINSTR="
	for i, env := range envs {
		if !tr_hasPrefix(env, variable) {
			continue
		}
		text := unsafe.Slice((*byte)(persistentalloc(uintptr(len(env)), 1, &memstats.other_sys)), len(env))
		n := copy(text, variable)
		for at := n; at < len(env); {
			end := at + 1
			for end < len(env) && env[end] != ' ' && env[end] != '\t' {
				end++
			}
			word := env[at:end] // the space before it included, but for the first word
			at = end
			if !tr_ofSchedule(word) {
				n += copy(text[n:], word)
			}
		}
		envs[i] = unsafe.String(&text[0], n)
	}
}

// tr_ofSchedule reports whether a word, which may have a separator in front, is an option of the schedule.
func tr_ofSchedule(word string) bool {
	for word != "" && (word[0] == ' ' || word[0] == '\t' || word[0] == ',') {
		word = word[1:]
	}
	for _, key := range tr_scheduleKeys {
		if tr_hasPrefix(word, key) {
			return true
		}
	}
	return false
}
