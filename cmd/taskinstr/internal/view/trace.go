package view

import (
	"encoding/json"
	"fmt"

	"taskinstr/cmd/taskinstr/internal/detect"
	"taskinstr/cmd/taskinstr/internal/reports"
	"taskinstr/cmd/taskinstr/internal/tracefile"
	"taskinstr/detector/offline/suite"
	"taskinstr/detector/trace"
	"taskinstr/detector/trace/report"
)

// A Graph is the task structure of a trace.
type Graph struct {
	Input string
	*tracefile.Picture
}

// trace looks for races in a trace and draws its tasks.
func (l *loader) trace(name string) error {
	choices, err := suite.Parse(suite.Engine.Name)
	if err != nil {
		return err
	}
	open := trace.File(name)
	results, err := suite.Run(open, choices)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	list, symbols, complete, err := detect.Races(open, results)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if !complete {
		l.note("%s: the trace has no end; the program was killed or still runs", name)
	}
	for _, x := range list {
		line, err := report.JSON(symbols, x)
		if err != nil {
			return err
		}
		m := new(reports.Merged)
		if err := json.Unmarshal(line, m); err != nil {
			return err
		}
		l.set.Add(m)
	}
	picture, err := tracefile.Draw(name, 0)
	if err != nil {
		l.note("%s: %v", name, err)
		return nil
	}
	l.page.Graphs = append(l.page.Graphs, &Graph{name, picture})
	return nil
}
