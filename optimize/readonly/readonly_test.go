package readonly_test

import (
	"testing"

	"taskinstr/optimize/passtest"
)

func TestComments(t *testing.T) { passtest.Comments(t, "readonly", "readonly.go", "phases.go") }
