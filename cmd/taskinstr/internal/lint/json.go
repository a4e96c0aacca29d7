package lint

import (
	"encoding/json"
	"io"
)

// writeJSON prints one object: the passes, the functions in the order of the digest, the sites, the
// summary.
func (r *Report) writeJSON(w io.Writer, o *options) error {
	sites := r.Sites
	if sites == nil || o.summary {
		sites = []*Site{}
	}
	return encode(w, struct {
		Passes    []string    `json:"passes"`
		Functions []*Function `json:"functions"`
		Sites     []*Site     `json:"sites"`
		Summary   *Summary    `json:"summary"`
		Profile   *Profile    `json:"profile,omitempty"`
		Notes     []string    `json:"notes,omitempty"`
	}{r.passList(), r.functions(), sites, r.summary(), r.Profile, r.Notes})
}

func (r *Report) passList() []string {
	if r.Passes == nil {
		return []string{}
	}
	return r.Passes
}

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
