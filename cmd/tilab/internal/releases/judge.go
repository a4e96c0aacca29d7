package releases

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"taskinstr/cmd/tilab/internal/racelog"
)

// A Verdict says whether a version meets its requirements (see the package comment).
type Verdict struct {
	OK   bool
	Text string
	// Undecided says that the runs are no evidence. OK is false then.
	Undecided bool
	Evidence  string // for a verdict that is not OK
}

// judgeBefore compares the reports of the tool and of -race on the version with the race.
// stock is nil if -race is not available. The verdict is OK if at each GOMAXPROCS the tool
// reports the race in at least as many runs.
func judgeBefore(ours Figures, stock *Figures) Verdict {
	if stock == nil {
		if total(ours.Counts) == 0 {
			return Verdict{Text: "missed in every run" + predictedInstead(ours), Evidence: ours.Silent}
		}
		return Verdict{OK: true, Text: "reported"}
	}
	var less []string
	for i, c := range ours.Counts {
		if s := stock.Counts[i]; c.Race < s.Race {
			less = append(less, strconv.Itoa(c.Procs))
		}
	}
	switch {
	case len(less) > 0:
		return Verdict{Text: "reported less often than by -race at GOMAXPROCS " + strings.Join(less, ", ") + predictedInstead(ours), Evidence: ours.Silent}
	case total(ours.Counts) == 0:
		return Verdict{Undecided: true, Text: "reported in no run, by -race neither"}
	case total(ours.Counts) > total(stock.Counts):
		return Verdict{OK: true, Text: "reported more often than by -race"}
	}
	return Verdict{OK: true, Text: "reported as often as by -race"}
}

func predictedInstead(f Figures) string {
	n := 0
	for _, c := range f.Counts {
		n += c.Predicted
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; predicted in %d more", n)
}

func total(counts []Count) (n int) {
	for _, c := range counts {
		n += c.Race
	}
	return n
}

// judgeAfter checks the reports on the version without the race: -race or a proof must
// confirm each.
func judgeAfter(r *Release, ours Figures, stock *Figures) Verdict {
	var wrong, failed, notes []string
	evidence := ""
	for _, rep := range ours.Reports {
		pair := rep.Pair()
		name := pair.String()
		if rep.Predicted {
			name += " (predicted)"
		}
		switch {
		case stock != nil && slices.ContainsFunc(stock.Reports, func(s racelog.Report) bool { return pair.Agrees(s.Pair()) }):
			notes = append(notes, name+" confirmed by -race")
		case slices.ContainsFunc(r.Proofs, func(p Proof) bool { return p.Places == pair }):
			notes = append(notes, name+" proved")
		default:
			wrong = append(wrong, name)
			evidence += rep.Text + "\n"
		}
	}
	for i, c := range ours.Counts {
		if c.Failed > 0 && (stock == nil || stock.Counts[i].Failed == 0) {
			failed = append(failed, strconv.Itoa(c.Procs))
			evidence += ours.Silent + "\n"
		}
	}
	switch {
	case len(failed) > 0:
		return Verdict{Text: "fails without a report at GOMAXPROCS " + strings.Join(failed, ", "), Evidence: evidence}
	case len(wrong) > 0:
		return Verdict{Text: "not confirmed: " + strings.Join(wrong, "; "), Evidence: evidence}
	case len(notes) > 0:
		return Verdict{OK: true, Text: strings.Join(notes, "; ")}
	}
	return Verdict{OK: true, Text: "clean"}
}
