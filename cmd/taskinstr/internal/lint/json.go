package lint

import (
	"io"

	"taskinstr/cmd/taskinstr/internal/outfile"
)

// writeJSON prints one object: the passes, the functions in the order of the digest, the sites, the
// summary.
func (r *Report) writeJSON(w io.Writer, o *options) error {
	sites := r.Sites
	if sites == nil || o.summary {
		sites = []*Site{}
	}
	return outfile.WriteJSON(w, struct {
		Passes    []string    `json:"passes"`
		Functions []*Function `json:"functions"`
		Sites     []*Site     `json:"sites"`
		Summary   *Summary    `json:"summary"`
		Profile   *Profile    `json:"profile,omitempty"`
		Notes     []string    `json:"notes,omitempty"`
	}{append([]string{}, r.Passes...), r.functions(), sites, r.summary(), r.Profile, r.Notes})
}
