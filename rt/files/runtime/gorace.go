//go:build taskinstr_runtime

// GORACE, the variable of Go's own race detector, is read by the rules of that detector:
// space, comma, colon, tab and newline end an option, quotes keep them inside of a value, an
// unknown option does not stop the program, and verbosity=1 lists unknown ones.

package runtime

// tr_goraceIdle lists the options of Go's race detector that have no effect here, with the
// reason. docs/use/options.md is generated from it.
var tr_goraceIdle = [...]struct{ why, keys string }{
	{"no history is dropped", "history_size"},
	{"the detector ends the program if it cannot get memory, and forgets nothing",
		"memory_limit_mb flush_memory_ms mmap_limit_mb hard_rss_limit_mb soft_rss_limit_mb max_allocation_size_mb " +
			"allocator_may_return_null allocator_release_to_os_interval_ms clear_shadow_mmap_threshold no_huge_pages_for_shadow " +
			"compress_stack_depot use_madv_dontdump full_address_space"},
	{"matched suppressions are always listed", "print_suppressions"},
	{"the log's name is log_path.PID", "log_exe_name log_suffix log_to_syslog"},
	{"reports have one form", "print_full_thread_history second_deadlock_stack print_summary print_module_map " +
		"symbolize_inline_frames symbolize_vs_style demangle dedup_token_length stack_trace_format color"},
	{"the program has its own symbols", "symbolize external_symbolizer_path allow_addr2line flush_symbolizer_ms"},
	{"a program that a race ends calls exit", "abort_on_error"},
	{"options come from the environment alone", "include include_if_exists"},
	{"order comes from the Go memory model", "io_sync force_seq_cst_atomics report_atomic_races enable_annotations"},
	{"it is about C and C++", "report_thread_leaks report_destroy_locked report_mutex_bugs report_signal_unsafe die_after_fork " +
		"ignore_interceptors_accesses ignore_noninstrumented_modules shared_ptr_interceptor handle_ioctl malloc_context_size " +
		"detect_deadlocks detect_leaks leak_check_at_exit check_printf legacy_pthread_cond intercept_tls_get_addr " +
		"strict_string_checks intercept_strstr intercept_strspn intercept_strtok intercept_strpbrk intercept_strcmp " +
		"intercept_strlen intercept_strndup intercept_strchr intercept_memcmp strict_memcmp intercept_memmem intercept_intrin " +
		"intercept_stat intercept_send fast_unwind_on_check fast_unwind_on_fatal fast_unwind_on_malloc suppress_equal_pcs " +
		"print_cmdline heap_profile"},
	{"signals belong to the Go runtime", "handle_segv handle_sigbus handle_abort handle_sigill handle_sigtrap handle_sigfpe " +
		"allow_user_segv_handler use_sigaltstack disable_coredump dump_instruction_bytes dump_registers"},
	{"go test -cover measures coverage", "coverage coverage_dir cov_8bit_counters_out cov_pcs_out html_cov_report sancov_path"},
	{"it serves work on the C++ runtime", "force_background_thread profile_memory stop_on_start running_on_valgrind strip_env " +
		"verify_interceptors can_use_proc_maps_statm decorate_proc_maps detect_write_exec test_only_emulate_no_memorymap"},
}

// tr_withoutEffect returns the reason why an option of Go's race detector has no effect here, and
// whether it is such an option.
func tr_withoutEffect(key string) (why string, ok bool) {
	for i := range tr_goraceIdle {
		for rest := tr_goraceIdle[i].keys; rest != ""; {
			var k string
			if k, rest = tr_cut(rest, ' '); k == key {
				return tr_goraceIdle[i].why, true
			}
		}
	}
	return "", false
}

// tr_goraceKnown reports whether GORACE has this key, with an effect or without.
func tr_goraceKnown(key string) bool {
	i := tr_optKey(key)
	if i >= 0 && tr_optKeys[i].gorace != "" {
		return true
	}
	_, idle := tr_withoutEffect(key)
	return idle
}

func tr_goraceSpace(c byte) bool {
	return c == ' ' || c == ',' || c == ':' || c == '\n' || c == '\t' || c == '\r'
}

// tr_nextGorace cuts the first option off s. ok is false if there is none. Errors of the
// syntax end the program, as they do under Go's race detector.
func tr_nextGorace(s string) (key, val, rest string, ok bool) {
	i := 0
	for i < len(s) && tr_goraceSpace(s[i]) {
		i++
	}
	s = s[i:]
	if s == "" {
		return "", "", "", false
	}
	i = 0
	for i < len(s) && s[i] != '=' && !tr_goraceSpace(s[i]) {
		i++
	}
	key = s[:i]
	if i == len(s) || s[i] != '=' {
		print("taskinstr: GORACE: expected '=' after ", key, "; space, comma and colon end an option, quotes keep them in a value\n")
		exit(tr_exitUsage)
	}
	s = s[i+1:]
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		for i = 1; i < len(s) && s[i] != s[0]; i++ {
		}
		if i == len(s) {
			print("taskinstr: GORACE: the value of ", key, " has no closing quote\n")
			exit(tr_exitUsage)
		}
		return key, s[1:i], s[i+1:], true
	}
	for i = 0; i < len(s) && !tr_goraceSpace(s[i]); i++ {
	}
	return key, s[:i], s[i:], true
}

// tr_warnGorace tells, for verbosity=1, which options are unknown, in the words of Go's
// race detector, and which have no effect.
func tr_warnGorace() {
	unknown := 0
	for pass := range 2 {
		for s := gogetenv("GORACE"); ; {
			key, _, rest, ok := tr_nextGorace(s)
			if !ok {
				break
			}
			s = rest
			switch {
			case tr_goraceKnown(key):
			case pass == 0:
				unknown++
			default:
				print("    ", key, "\n")
			}
		}
		if unknown == 0 {
			break
		}
		if pass == 0 {
			print("WARNING: found ", unknown, " unrecognized flag(s):\n")
		}
	}
	tr_eachIdle(func(key, why string) {
		print("taskinstr: GORACE: ", key, " has no effect: ", why, "\n")
	})
}

// tr_putIdle says below the reports which options of GORACE have no effect. A program
// without reports prints nothing that it would not print under Go's race detector.
func tr_putIdle() {
	tr_eachIdle(func(key, why string) {
		tr_puts("GORACE: ")
		tr_puts(key)
		tr_puts(" has no effect: ")
		tr_puts(why)
		tr_puts("\n")
	})
}

func tr_eachIdle(do func(key, why string)) {
	for s := gogetenv("GORACE"); ; {
		key, _, rest, ok := tr_nextGorace(s)
		if !ok {
			return
		}
		s = rest
		if why, idle := tr_withoutEffect(key); idle {
			do(key, why)
		}
	}
}

// tr_integer reads a number as C's strtol does: with a sign, and 0 if there is none.
func tr_integer(s string) (int, bool) {
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' || n > 1<<56 {
			return 0, false
		}
		n = 10*n + int(s[i]-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}
