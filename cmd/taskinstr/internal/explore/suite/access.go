package suite

import (
	"encoding/json"
	"slices"
	"strings"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/detector/trace/report"
)

// Values of -explore-access beside sites.
const (
	accessAuto = "auto"
	accessOff  = "off"
)

// maxSites bounds the sites that a run without a schedule adds to a test.
const maxSites = 16

// sites returns the value of the option access for the schedules of a test, "" for none.
func (u *unit) sites(o *options) string {
	switch o.access {
	case accessAuto:
		return strings.Join(u.access, ",")
	case accessOff:
		return ""
	}
	return o.access
}

// suspect adds the two accesses of a race, or of a predicted one, to the sites of a test: what they access is not
// synchronized, so it makes a difference which one comes first.
func (u *unit) suspect(f *batch.Finding) {
	var pair report.Report
	if f.Report == nil || json.Unmarshal(f.Report, &pair) != nil {
		return
	}
	for _, at := range []string{pair.Access.Position, pair.Previous.Position} {
		if at != "" && !strings.ContainsAny(at, " \t,") && !slices.Contains(u.access, at) && len(u.access) < maxSites {
			u.access = append(u.access, at)
		}
	}
}
