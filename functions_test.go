package taskinstr

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"taskinstr/internal/site"
)

// A function of more lines, from func to the closing brace, or of more parameters needs a reason.
const (
	mostLines      = 60
	mostParameters = 6
)

// large lists the functions that are longer, or have more parameters, by the reasons. A name is the folder, the
// type of the receiver and the function.
var large = map[string][]string{
	"a case for each kind of syntax or type": {
		"cmd/taskinstr/internal/inline.costing.expr", "cmd/taskinstr/internal/inline.costing.stmt",
		"cmd/tilab/internal/accesses.comparison.readAt", "cmd/tilab/internal/accesses.facts.note",
		"internal/site.File.Spell", "internal/site.Package.Quiet", "internal/site.varScan.walk",
		"internal/splice.branchWalk.reads",
		"optimize/affine.nest.affine", "optimize/affine.nest.between", "optimize/affine.nest.expr", "optimize/affine.nest.statement",
		"optimize/loop.Loop.Place",
		"ssapass.pruner.scan",
	},
	"a case for each kind of instruction": {"ssapass.paramFlow.instr", "ssapass/pointsto.generator.instr"},
	"a case for each kind of event": {
		"detector/offline/diagnosis.New", "detector/offline/fasttrack.order.event",
		"detector/oracle.generator.event", "detector/oracle.judge.event",
	},
	"a case for each kind of statement that it draws":                               {"cmd/tilab/internal/programs/nest.oneCase.statement"},
	"a case for each kind of message":                                               {"cmd/taskinstr/internal/farm/link.Serve"},
	"a case for each function of std without a body":                                {"ssapass.bodyless"},
	"a case for each option":                                                        {"rt/files/runtime.tr_setOption"},
	"a case for each strategy, then what the strategy needs":                        {"rt/files/runtime.tr_startSchedule"},
	"a row for each flag":                                                           {"cmd/taskinstr/internal/lint.init", "cmd/tilab/internal/selftest.flags"},
	"a row for each step":                                                           {"benchmarks/firsthour.steps"},
	"each field of an event, first whether it is there":                             {"detector/trace/wire.Encoder.Event"},
	"each field of a new task, in an order on which some depend":                    {"detector/parallel.Engine.Fork"},
	"each line of a record's head":                                                  {"detector/schedule.Recorder.Init"},
	"one text of help":                                                              {"cmd/taskinstr/internal/bench.Help", "cmd/taskinstr/internal/lint.Help"},
	"one fact of a report, from its counts to its words":                            {"rt/files/runtime.tr_whyPeers"},
	"each part of a place in a trace":                                               {"rt/files/runtime.tr_tracePut"},
	"questions about whose turn it is, each of which depends on the answers before": {"rt/files/runtime.tr_runqget"},
	"a walk with a stack of its own, which the ways down and up share":              {"detector/offline/zipper.Order.walk"},

	"hot path: a further call would be time for each access, or a frame under the limit of nosplit functions": {
		"detector/parallel.Engine.QuickEach", "detector/parallel.Engine.quickCells", "detector/parallel.Engine.setPiece",
		"detector/serial.Engine.access", "detector/serial.Engine.partOfLine", "detector/serial.Engine.quickWord",
		"internal/splice/files._ti_gnext",
		"rt/files/runtime.taskinstr_atomic", "rt/files/runtime.tr_stackKnown", "rt/files/runtime.tr_walkUp",
	},
	"the parts of an access: a struct of them would be memory that each check writes": {
		"detector/parallel.Engine.Access", "detector/parallel.Engine.BeginUpdate", "detector/parallel.Engine.Quick", "detector/parallel.Engine.QuickEach",
		"detector/serial.Engine.Access", "detector/serial.Engine.Quick", "detector/serial.Engine.accessCell", "detector/serial.Engine.fill",
		"detector/serial.Engine.others", "detector/serial.Engine.unify",
		"rt/files/engine/parallel.tr_quickFrom", "rt/files/engine/parallel.tr_quickHook", "rt/files/engine/parallel.tr_recordEach", "rt/files/engine/parallel.tr_update",
		"rt/files/engine/serial.tr_checkAt", "rt/files/engine/serial.tr_quickFrom", "rt/files/engine/serial.tr_quickHook", "rt/files/engine/serial.tr_update",
		"rt/files/runtime.tr_record", "rt/files/runtime.tr_recordHere", "rt/files/runtime.tr_recordIn", "rt/files/runtime.tr_recordPC",
		"rt/files/runtime.tr_siteAtomic", "rt/files/runtime.tr_traceAccess", "rt/files/runtime.tr_tracePossible",
	},
	"the parts of a transition, which the compiler writes in place": {"detector/parallel.Task.remember"},
	"operands of code that splice writes": {
		"internal/splice/files._ti_each", "internal/splice/files._ti_part", "internal/splice/files._ti_span",
		"internal/splice/files._ti_step", "internal/splice/files._ti_through",
		"rt/files/engine/parallel.taskinstr_checks", "rt/files/engine/serial.taskinstr_checks", "rt/files/runtime.taskinstr_possible",
	},
}

// TestFunctions compares the table with the functions of the module.
func TestFunctions(t *testing.T) {
	reasoned := map[string]bool{}
	for _, names := range large {
		for _, name := range names {
			reasoned[name] = true
		}
	}
	found := map[string]bool{}
	set := token.NewFileSet()
	for _, file := range goFiles(t) {
		f, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Body == nil {
				continue
			}
			lines, parameters := set.Position(d.End()).Line-set.Position(d.Pos()).Line+1, d.Type.Params.NumFields()
			if lines <= mostLines && parameters <= mostParameters {
				continue
			}
			name := filepath.ToSlash(filepath.Dir(file)) + "." + functionName(d)
			found[name] = true
			if !reasoned[name] {
				t.Errorf("%s: %s has %d lines and %d parameters, at most %d and %d are expected without a reason", set.Position(d.Pos()), name, lines, parameters, mostLines, mostParameters)
			}
		}
	}
	for name := range reasoned {
		if !found[name] {
			t.Errorf("%s needs no reason any more, or does not exist", name)
		}
	}
}

// functionName returns the name of a function, behind the type of its receiver.
func functionName(d *ast.FuncDecl) string {
	if receiver, _ := site.Receiver(d); receiver != "" {
		return receiver + "." + d.Name.Name
	}
	return d.Name.Name
}
