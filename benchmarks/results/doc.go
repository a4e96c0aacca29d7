// Command results writes the tables of the pages below docs/lab from data files, and compares the
// figures of the README and of docs/use/passes.md with the files:
//
//	go run ./benchmarks/compare -kind codecs -modes plain,race,package -csv benchmarks/results/codecs.csv
//	go run ./benchmarks/results
//
// A data file says with which Go, on which machine, when and by which command it was made. Its rows
// are ratios of medians: the processor time of -race and of a default build to the plain program's, their
// ratio with its quartiles, and the ratio of the peaks of memory. A figure that was not measured is empty.
//
// The rows of schedules.csv, which benchmarks/schedules writes, are kernels: how many runs failed without a
// schedule, or the first schedule that found the kernel.
//
// budget.csv, of benchmarks/compare -budget, has multiples of the plain program's processor time.
//
// checks.csv, checks-servers.csv and checks-compute.csv, of benchmarks/compare -checks, have the thousands of checks that programs
// execute in the first mode, and the other modes' counts as shares of them.
//
// The other files have the columns of their tables. A line "# mean: COLUMN, COLUMN" in the head of such a file names the
// columns whose geometric means are the last row.
//
// In a document, a line <!-- table NAME.csv --> begins a table, and <!-- end --> ends it. In those texts,
// <!-- NAME.csv: to_race --> behind a figure names the column whose geometric mean it is.
package main
