package affine_test

import (
	"testing"

	"taskinstr/optimize/affine"
	"taskinstr/optimize/passtest"
)

func TestArchives(t *testing.T) { passtest.Archives(t, "affine", affine.Trace) }
