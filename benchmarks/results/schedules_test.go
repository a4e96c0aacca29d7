package main

import (
	"strings"
	"testing"
)

// The last rows of a table of kernels sum up each column.
func TestSchedules(t *testing.T) {
	x, err := parse(head + "# runs: 10\n# seconds: race=3 surw=2\nkernel,class,cause,shown,race,surw\nA,blocking,lock order,deadlock,5,1\nB,non-blocking,order,race,,4\n")
	if err != nil {
		t.Fatal(err)
	}
	text, err := x.markdown()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| kernel | class | cause | shown by | -race, of 10 | surw |\n",
		"| A | blocking | lock order | deadlock | 5 | 1 |\n",
		"| B | non-blocking | order | race | – | 4 |\n",
		"| found, of 2 | | | | **1** | **2** |\n",
		"| | | | 2 | 2.5 |\n",
		"| seconds | | | | 3 | 2 |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
