//go:build taskinstr_runtime

// Options of the running program: TASKINSTR="key=value ..." and, for keys that both tools
// have, GORACE (gorace.go). An unknown key in TASKINSTR ends the program with a list of the
// known keys.

package runtime

var tr_opt struct {
	logPath      string // stdout, stderr, or a file name, to which .pid is appended
	stripPrefix  string
	suppressions string // file name
	baseline     string // file name, or * for every report
	confirm      string // file name, or 1 for that of baseline
	leaks        bool
	folder       string // where reports are kept beside what is printed; see folder.go
	exitCode     int
	sleep        int // milliseconds
	wait         int // milliseconds
	halt         bool
	json         bool
	predicted    int
	hbOnly       bool
	repeat       bool
	recursion    uint32 // see tr_walk.extend
	verdict      bool
	trace        string // file name
	traceValues  bool
	stats        bool
	checks       string // file name
	help         bool
	silent       bool // GORACE=report_bugs=0
	verbosity    int
}

const (
	tr_predictedOff = iota
	tr_predictedWarn
	tr_predictedFail
	tr_predictedAll
)

// tr_exitUsage is the exit code for invalid options.
const tr_exitUsage = 2

// tr_optKeys documents the keys, for help=1 and for errors. gorace is "" for a key of
// TASKINSTR, "y" for a key of both variables, and "only" for a key of GORACE. Package rt
// reads the same table for the command's help and for docs/use/options.md.
var tr_optKeys = [...]struct{ key, gorace, text string }{
	{"log_path", "y", "stderr (default), stdout, or a file name, to which a dot and the process id are added; missing folders are created on Linux"},
	{"exitcode", "y", "exit code after a race, 0..255 (default 66); in GORACE any number, of which the system keeps eight bits"},
	{"halt_on_error", "y", "1: end the program at the first race (default 0)"},
	{"strip_path_prefix", "y", "leave out of file names in reports what ends with the first occurrence of this text"},
	{"atexit_sleep_ms", "y", "wait this long at the end, whatever tasks do (default 0)"},
	{"atexit_wait_ms", "", "wait at most this long at the end for tasks that can still run; over when all are blocked (default 1000; 0: not at all)"},
	{"suppress_equal_stacks", "y", "0: report a pair of stacks each time it races, not once (default 1)"},
	{"suppress_equal_addresses", "y", "the same as suppress_equal_stacks"},
	{"history_size", "", "accepted for GORACE's sake; no history is dropped"},
	{"recursion", "", "stacks have this many repeated calls of a recursion, the first ones (default 8; 0: all of them)"},
	{"format", "", "text (default) or json, one object a line (taskinstr help report-format), which taskinstr report converts to SARIF and other formats"},
	{"suppressions", "y", "file of lines race:TEXT, predicted:TEXT or fingerprint:TEXT; a report with TEXT in a function or file name, or as its fingerprint, is not made, but counted at exit"},
	{"baseline", "", "file of fingerprints of known reports, which are not made, but counted at exit; `taskinstr test -baseline-update` writes it (taskinstr help ci); *: every report is known"},
	{"confirm", "", "1: drive the pairs of accesses in the baseline to happen, and say at exit which have; or the file of these pairs (taskinstr help ci)"},
	{"leaks", "", "1: at the end of a test binary, print the goroutines that tests have left behind, which set the exit code (default 0; taskinstr help explore)"},
	{"predicted", "", "warn (default): report predicted races; fail: they count as races; off: none; all: also pairs that only conflicting critical sections order"},
	{"locks", "", "all (default), or hb: order by locks is like any other order, no predicted races"},
	{"trace", "", "write the events of the run to this file, %p being the process id, for taskinstr detect; races are not looked for meanwhile (taskinstr help trace-format)"},
	{"trace_values", "", "1: with trace, write what memory of up to 8 bytes holds at each check as well, for branches not taken (default 0)"},
	{"verdict", "", "1: say at exit which guarantee a clean run has earned"},
	{"schedule", "", "serial, random[:SEED], pct[:SEED,d=DEPTH], pos[:SEED], surw[:SEED,of=object], preempt[:SEED,b=BOUND], dfs[:all] or replay:FILE: one goroutine at a time, in that order (taskinstr help schedule); off (default)"},
	{"hold", "", "POSITION,POSITION: a goroutine that is about to make the access at one place waits until another one is about to make the access at the other place, without a schedule for 0.1 s at most (taskinstr help explore)"},
	{"access", "", "SITE[,SITE...] with a schedule: another goroutine may run first before the accesses at these sites, each FILE:LINE, FILE:LINE:COLUMN or a part of a function's name as in suppressions (taskinstr help schedule); a replay has the sites of its record"},
	{"record", "", "file name; with schedule: write the choices to it, for schedule=replay:FILE"},
	{"clock", "", "virtual or real; with schedule: the time moves on when no goroutine can run, or as the system's; virtual (default for strategies with a seed and dfs:all), real (default for serial and dfs); a replay has the clock of its record"},
	{"cryptorand", "", "seeded or system (default); with schedule: where package crypto/rand takes its bytes from: the seed of the schedule, for tests alone, or the system; a replay has the value of its record"},
	{"counts", "", "file name; with schedule=surw, pct or preempt: the record of an earlier run, whose steps are counted"},
	{"stats", "", "1: print counters at exit"},
	{"checks", "", "in a program built with -stats=checks: write the executed checks by site to this file at exit, %p being the process id, for taskinstr lint -profile"},
	{"report_bugs", "only", "0: report nothing, and end as a program without races (default 1)"},
	{"verbosity", "only", "1: say at the start which options of GORACE are unknown or without effect (default 0)"},
	{"help", "y", "1: print this and exit; in GORACE, print this and go on"},
}

// tr_readOptions parses GORACE, then TASKINSTR, which takes precedence.
func tr_readOptions() {
	tr_opt.exitCode = 66
	tr_opt.wait = 1000
	tr_opt.predicted = tr_predictedWarn
	tr_opt.recursion = 8
	tr_parseOptions("GORACE", gogetenv("GORACE"))
	if tr_opt.verbosity > 0 {
		tr_warnGorace()
	}
	if tr_opt.help {
		tr_printKeys()
		tr_opt.help = false
	}
	tr_parseOptions("TASKINSTR", gogetenv("TASKINSTR"))
	if tr_opt.help {
		tr_printKeys()
		exit(0)
	}
	tr_opt.folder = gogetenv("TASKINSTR_REPORTS")
	if tr_opt.suppressions != "" {
		tr_readSuppressions()
	}
	if tr_opt.baseline != "" {
		tr_readBaseline()
	}
	tr_readPairs()
	tr_startLeaks()
	tr_startSchedule()
}

func tr_printKeys() {
	print("TASKINSTR=\"key=value ...\" sets, for a program built with taskinstr:\n")
	for i := range tr_optKeys {
		k := &tr_optKeys[i]
		print("  ", k.key, "\n      ", k.text)
		switch k.gorace {
		case "y":
			print(" [GORACE too]")
		case "only":
			print(" [GORACE only]")
		}
		print("\n")
	}
}

func tr_parseOptions(env, s string) {
	if env == "GORACE" {
		for {
			key, val, rest, ok := tr_nextGorace(s)
			if !ok {
				return
			}
			s = rest
			if i := tr_optKey(key); i >= 0 && tr_optKeys[i].gorace != "" {
				tr_setOption(env, key, val, true)
			}
		}
	}
	for s != "" {
		// Words end at spaces and tabs. Colons do not end them, because paths contain
		// colons.
		i := 0
		for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == ',') {
			i++
		}
		s = s[i:]
		i = 0
		for i < len(s) && s[i] != ' ' && s[i] != '\t' {
			i++
		}
		if i == 0 {
			continue
		}
		word := s[:i]
		s = s[i:]
		eq := 0
		for eq < len(word) && word[eq] != '=' {
			eq++
		}
		key, val := word[:eq], ""
		if eq < len(word) {
			val = word[eq+1:]
			if len(val) >= 2 && (val[0] == '"' || val[0] == '\'') && val[len(val)-1] == val[0] {
				val = val[1 : len(val)-1]
			}
		}
		tr_setOption(env, key, val, eq < len(word))
	}
}

// tr_optKey returns the index of a key in the table, -1 if it has none.
func tr_optKey(key string) int {
	for i := range tr_optKeys {
		if tr_optKeys[i].key == key {
			return i
		}
	}
	return -1
}

func tr_setOption(env, key, val string, given bool) {
	gorace := env == "GORACE"
	known := tr_optKey(key)
	if known >= 0 && !gorace && tr_optKeys[known].gorace == "only" {
		print("taskinstr: ", key, " is an option of GORACE, not of ", env, "\n")
		exit(tr_exitUsage)
	}
	if known < 0 {
		print("taskinstr: unknown key ", key, " in ", env)
		if near := tr_nearest(key); near != "" {
			print("; did you mean ", near, "?")
		}
		print("; known are\n")
		for i := range tr_optKeys {
			if tr_optKeys[i].gorace != "only" {
				print("  ", tr_optKeys[i].key, "\n")
			}
		}
		exit(tr_exitUsage)
	}
	if !given {
		tr_badOption(env, key, "(nothing)", known)
	}
	ok := true
	switch key {
	case "log_path":
		tr_opt.logPath = val
	case "strip_path_prefix":
		tr_opt.stripPrefix = val
	case "suppressions":
		tr_opt.suppressions = val
	case "baseline":
		tr_opt.baseline = val
	case "confirm":
		tr_opt.confirm = val
		ok = val != ""
	case "leaks":
		tr_opt.leaks, ok = tr_atob(val)
	case "exitcode":
		if tr_opt.exitCode, ok = tr_atoi(val, 255); gorace {
			tr_opt.exitCode, ok = tr_integer(val)
			tr_opt.exitCode &= 255
		}
	case "atexit_sleep_ms":
		if tr_opt.sleep, ok = tr_atoi(val, 1<<20); gorace {
			tr_opt.sleep, ok = tr_integer(val)
			tr_opt.sleep = max(0, min(tr_opt.sleep, 1<<20))
		}
	case "report_bugs":
		var report bool
		report, ok = tr_atob(val)
		tr_opt.silent = !report
	case "verbosity":
		tr_opt.verbosity, ok = tr_integer(val)
	case "atexit_wait_ms":
		tr_opt.wait, ok = tr_atoi(val, 1<<20)
	case "suppress_equal_stacks", "suppress_equal_addresses":
		var once bool
		once, ok = tr_atob(val)
		tr_opt.repeat = tr_opt.repeat || !once
	case "history_size":
	case "halt_on_error":
		tr_opt.halt, ok = tr_atob(val)
	case "trace":
		tr_opt.trace = val
		ok = val != ""
	case "trace_values":
		tr_opt.traceValues, ok = tr_atob(val)
	case "verdict":
		tr_opt.verdict, ok = tr_atob(val)
	case "schedule":
		ok = tr_setSchedule(val)
	case "hold":
		ok = tr_setHold(val)
	case "access":
		ok = tr_setAccess(val)
	case "record":
		tr_sched.recordTo = val
	case "clock":
		switch val {
		case "virtual":
			tr_sched.clock = tr_clockVirtual
		case "real":
			tr_sched.clock = tr_clockReal
		default:
			ok = false
		}
	case "cryptorand":
		tr_sched.crypto = val == tr_cryptoSeeded
		ok = tr_sched.crypto || val == tr_cryptoSystem
	case "counts":
		tr_sched.counts = val
	case "recursion":
		var n int
		n, ok = tr_atoi(val, 1<<20)
		if tr_opt.recursion = uint32(n); n == 0 {
			tr_opt.recursion = 1<<32 - 1
		}
	case "checks":
		tr_opt.checks = val
		ok = val != ""
	case "stats":
		tr_opt.stats, ok = tr_atob(val)
	case "help":
		tr_opt.help, ok = tr_atob(val)
	case "format":
		tr_opt.json = val == "json"
		ok = val == "json" || val == "text"
	case "locks":
		tr_opt.hbOnly = val == "hb"
		ok = val == "hb" || val == "all"
	case "predicted":
		switch val {
		case "off":
			tr_opt.predicted = tr_predictedOff
		case "warn":
			tr_opt.predicted = tr_predictedWarn
		case "fail":
			tr_opt.predicted = tr_predictedFail
		case "all":
			tr_opt.predicted = tr_predictedAll
		default:
			ok = false
		}
	}
	if !ok {
		tr_badOption(env, key, val, known)
	}
}

func tr_badOption(env, key, val string, i int) {
	print("taskinstr: ", env, ": bad value ", val, " for ", key, "\n  ", key, ": ", tr_optKeys[i].text, "\n")
	exit(tr_exitUsage)
}

// tr_nearest returns the key of TASKINSTR that a key was probably meant to be, "" if there is
// none: one with a short edit distance.
func tr_nearest(key string) string {
	const longest = 32
	if len(key) > longest {
		return ""
	}
	best, at := len(key)/3+1, ""
	for i := range tr_optKeys {
		k := &tr_optKeys[i]
		if k.gorace == "only" || len(k.key) > longest {
			continue
		}
		// row holds the distances of key[:n] from the starts of k.key.
		var row [longest + 1]int
		for j := range len(k.key) + 1 {
			row[j] = j
		}
		for n := range len(key) {
			diagonal := row[0]
			row[0] = n + 1
			for j := range len(k.key) {
				d := diagonal
				if key[n] != k.key[j] {
					d = 1 + min(diagonal, row[j], row[j+1])
				}
				diagonal, row[j+1] = row[j+1], d
			}
		}
		if d := row[len(k.key)]; d <= best && d < len(key) {
			best, at = d-1, k.key
		}
	}
	return at
}

func tr_atoi(s string, max int) (int, bool) {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' || n > max {
			return 0, false
		}
		n = 10*n + int(s[i]-'0')
	}
	return n, s != "" && n <= max
}

func tr_atob(s string) (v, ok bool) {
	switch s {
	case "1", "true", "yes":
		return true, true
	case "0", "false", "no":
		return false, true
	}
	return false, false
}
