// Command schedules measures how well tests show the defects of testdata/kernels: repeated by
// go test -race, repeated with the checks of taskinstr, and under the schedules of
// taskinstr test -explore, by strategy.
//
//	go run ./benchmarks/schedules [-runs 200] [-explore 200] [-run REGEXP] [-strategies surw,pos,random,default]
//	go run ./benchmarks/schedules -csv benchmarks/results/schedules.csv
//
// A kernel is found by a run that fails: by a race, a deadlock, a panic, a failure of the test, or
// because it has not ended after a second. Each run is a process of its own. Of an exploration the
// command takes the number of the first schedule that shows a finding, whatever its kind but a predicted
// race, and the time until the last schedule has run; no schedule is shortened. A finding in a kernel
// without its defect (TestNAMEFixed) is an error.
package main
