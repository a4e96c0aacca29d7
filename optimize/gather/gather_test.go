package gather_test

import (
	"testing"

	"taskinstr/optimize/passtest"
)

func TestArchives(t *testing.T) { passtest.Archives(t, "gather", nil) }
