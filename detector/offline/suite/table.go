package suite

import (
	"fmt"
	"slices"
	"strings"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/allsets"
	"taskinstr/detector/offline/drdp"
	"taskinstr/detector/offline/fasttrack"
	"taskinstr/detector/offline/graph"
	"taskinstr/detector/offline/ptracer"
	"taskinstr/detector/offline/spbags"
	"taskinstr/detector/offline/spd3"
	"taskinstr/detector/offline/zipper"
	"taskinstr/detector/serial/espbags"
)

// Table lists the detectors.
var Table = []event.Spec{
	Engine,
	espbags.Spec,
	drdp.Spec,
	zipper.Spec,
	graph.Spec,
	ptracer.Spec,
	spbags.Spec,
	spd3.Spec,
	allsets.Spec,
	fasttrack.Spec,
}

// Names returns the names of all detectors.
func Names() []string {
	var names []string
	for _, s := range Table {
		names = append(names, s.Name)
	}
	return names
}

// Parse reads a list of detectors, NAME[:OPTION=VALUE...],NAME. The error for an unknown
// name lists the known ones.
func Parse(list string) ([]Choice, error) {
	var choices []Choice
	for word := range strings.SplitSeq(list, ",") {
		name, rest, _ := strings.Cut(word, ":")
		i := slices.IndexFunc(Table, func(s event.Spec) bool { return s.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("%q is no detector; there are %s", name, strings.Join(Names(), ", "))
		}
		c := Choice{Name: word, Spec: Table[i], Option: map[string]string{}}
		for rest != "" {
			var option string
			option, rest, _ = strings.Cut(rest, ":")
			key, value, _ := strings.Cut(option, "=")
			if err := c.set(key, value); err != nil {
				return nil, err
			}
		}
		if slices.ContainsFunc(choices, func(d Choice) bool { return d.Name == c.Name }) {
			return nil, fmt.Errorf("detector %s is listed twice", c.Name)
		}
		choices = append(choices, c)
	}
	return choices, nil
}

// A Choice is a detector with its options.
type Choice struct {
	Name   string // as in the list
	Spec   event.Spec
	Option map[string]string
}

func (c *Choice) set(key, value string) error {
	var known []string
	for _, o := range c.Spec.Options {
		known = append(known, o.Name)
		if o.Name != key {
			continue
		}
		if o.Values != nil && !slices.Contains(o.Values, value) {
			return fmt.Errorf("detector %s: %s is one of %s, not %q", c.Spec.Name, key, strings.Join(o.Values, ", "), value)
		}
		c.Option[key] = value
		return nil
	}
	if known == nil {
		return fmt.Errorf("detector %s has no options", c.Spec.Name)
	}
	return fmt.Errorf("detector %s has no option %q; there are %s", c.Spec.Name, key, strings.Join(known, ", "))
}

var modelNames = []struct {
	model event.Model
	name  string
}{
	{event.Spawns, "spawn and sync"},
	{event.Finish, "async and finish"},
	{event.Escaping, "tasks that escape their scope"},
	{event.Promises, "promises"},
	{event.Isolated, "isolated sections"},
	{event.Locks, "locks"},
	{event.Branches, "branches not taken"},
	{event.RawOrder, "all synchronization"},
}

// ModelText describes the events that a detector understands.
func ModelText(m event.Model) string {
	var parts []string
	for _, n := range modelNames {
		if m&n.model != 0 {
			parts = append(parts, n.name)
		}
	}
	return strings.Join(parts, ", ")
}
