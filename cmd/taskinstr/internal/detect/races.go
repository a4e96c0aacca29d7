package detect

import (
	"taskinstr/detector/event"
	"taskinstr/detector/offline/suite"
	"taskinstr/detector/trace"
	"taskinstr/detector/trace/report"
)

// Races returns the races that detectors have found in a trace, each race once, and the symbols
// of the trace. complete says that the trace has its end.
func Races(open suite.Source, results []*suite.Result) (list []*report.Race, symbols *trace.Symbols, complete bool, err error) {
	r, c, err := open()
	if err != nil {
		return nil, nil, false, err
	}
	defer c.Close()
	var all []event.Race
	var by []string
	for _, x := range results {
		for _, race := range x.Races {
			all = append(all, race)
			by = append(by, x.Choice.Name)
		}
	}
	type key struct {
		tier        event.Tier
		fingerprint uint64
	}
	first := map[key]*report.Race{}
	for i, x := range report.Gather(all, report.Next(r)) {
		k := key{x.Tier, report.Fingerprint(r.Symbols, x.First.Party, x.Second.Party)}
		if first[k] == nil {
			first[k] = x
			list = append(list, x)
		}
		y := first[k]
		if len(results) > 1 && (len(y.By) == 0 || y.By[len(y.By)-1] != by[i]) {
			y.By = append(y.By, by[i])
		}
	}
	return list, r.Symbols, r.Complete, nil
}
