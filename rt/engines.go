package rt

import (
	"io/fs"
	"maps"
	"slices"

	"taskinstr/detector/parallel"
	"taskinstr/detector/schedule"
	"taskinstr/detector/serial"
	"taskinstr/detector/serial/drdp"
	"taskinstr/detector/serial/espbags"
	"taskinstr/detector/theorem"
	"taskinstr/detector/trace/wire"
)

// A source is a package of this module whose text joins package runtime.
type source struct {
	dir    string // below the module's root
	prefix string // of its declarations there; the names of rt itself begin with tr_
	files  fs.FS
}

// common are the packages that join every detector.
var common = []source{
	{"detector/theorem", "th_", theorem.Source},
	{"detector/schedule", "sc_", schedule.Source},
	{"detector/trace/wire", "tw_", wire.Source},
}

// An engine is a detector as a part of package runtime. All have the entry points of
// package detector/contract.
type engine struct {
	source
	under []source // the packages that it imports, directly or not, importers last
	own   []string // folders of files that join those in files/runtime, or replace them
}

// serialFiles is the folder of the files that detectors of serial execution share.
const serialFiles = "files/serial/runtime"

// under are the packages that the detectors of serial execution import.
var under = []source{{"detector/serial", "se_", serial.Source}}

// engines are the detectors, by the name that Target.Detector has.
var engines = map[string]engine{
	"":        {source{"detector/parallel", "ti_", parallel.Source}, nil, nil},
	"drdp":    {source{"detector/serial/drdp", "ti_", drdp.Source}, under, []string{serialFiles, "files/drdp/runtime"}},
	"espbags": {source{"detector/serial/espbags", "ti_", espbags.Source}, under, []string{serialFiles, "files/espbags/runtime"}},
}

// Detectors returns the names that Target.Detector may have.
func Detectors() []string { return slices.Sorted(maps.Keys(engines)) }

// merged returns the files of a detector and of the common packages as files of package
// runtime.
func (e engine) merged() ([]File, error) {
	return merge(append(append(slices.Clone(e.under), e.source), common...)...)
}
