// Command run executes one of the papers' programs once, so that the wall time, processor
// time and peak memory of the whole process can be measured, or a race detector can
// report.
//
//	run -program NAME [-size small|medium|large] [-racy]
//	run -list
//
// NAME may begin with the suite (drdp/matmul). The program checks its result; the exit
// code is 1 if it is wrong. The same programs are benchmarks of package suites.
package main

import (
	"flag"
	"fmt"
	"os"

	"taskinstr/benchmarks/program"
	"taskinstr/benchmarks/suites"
)

func main() {
	name := flag.String("program", "", "the program to run")
	sizeName := flag.String("size", string(program.Small), "the size of its input: small, medium or large")
	racy := flag.Bool("racy", false, "run the variant with a seeded race")
	list := flag.Bool("list", false, "list the programs and their seeded races")
	flag.Parse()
	if *list {
		for _, p := range suites.All {
			fmt.Printf("%-24s %s\n%-24s racy: %s\n", p.String(), p.Doc, "", p.Seed)
		}
		return
	}
	p, err := suites.Find(*name)
	if err != nil {
		usage(fmt.Errorf("-program: %w", err))
	}
	size, err := program.ParseSize(*sizeName)
	if err != nil {
		usage(fmt.Errorf("-size: %w", err))
	}
	if flag.NArg() > 0 {
		usage(fmt.Errorf("unexpected argument %q", flag.Arg(0)))
	}
	if err := p.Run(size, *racy); err != nil {
		fmt.Fprintf(os.Stderr, "run: %s, %s: %v\n", p.String(), size, err)
		os.Exit(1)
	}
}

func usage(err error) {
	fmt.Fprintln(os.Stderr, "run:", err)
	os.Exit(2)
}
