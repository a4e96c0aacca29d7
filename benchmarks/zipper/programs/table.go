package programs

import "taskinstr/detector/offline/zipper/orders/model"

// A Program is a row of the table.
type Program struct {
	Name      string
	Doc       string
	Isolation bool // it has isolated sections
	Race      bool // it has a data race
	Run       model.Program
	Paper     Paper
}

// Paper holds figures of the paper's table: the number of nodes of the graph, and the
// milliseconds of both analyses over all orders, including the runs.
type Paper struct {
	Nodes         int
	Graph, Zipper float64
}

const (
	no  = false
	yes = true
)

// Table lists all programs in the order of the paper.
var Table = []Program{
	{"ClumpedAccess", "one of two tasks does all its updates in one section", yes, no, clumpedAccess, Paper{11, 4, 14}},
	{"PrimitiveArrayNoRace", "two tasks write different elements", no, no, primitiveArray(1), Paper{11, 1, 12}},
	{"PrimitiveArrayRace", "two tasks write one element", no, yes, primitiveArray(0), Paper{11, 1, 8}},
	{"SimpleSimple", "a task writes what its parent reads", no, yes, simple(1), Paper{11, 1, 14}},
	{"SimpleSimpleSimple2", "the same in a task of a task", no, yes, simple(2), Paper{11, 1, 7}},
	{"VectorAdd", "a task for each part of a sum of vectors", no, no, vectorAdd(4, 4), Paper{11, 5, 18}},
	{"DataRaceIsolateSimple", "one of two updates lies in no section", yes, yes, isolateSimple(1), Paper{13, 10, 17}},
	{"DoubleBranchExample", "two branches with two sections each", yes, no, doubleBranch, Paper{13, 1, 7}},
	{"DataRaceIsolateSimple1", "the same, with a read behind the sections", yes, yes, isolateSimple(2), Paper{15, 5, 22}},
	{"ForallWithIterable", "a task for each element of a collection", no, no, forall(7), Paper{17, 4, 11}},
	{"IsolatedBlockNo", "sections in rounds", yes, no, isolatedBlocks(3), Paper{19, 9, 2}},
	{"Add", "a task for each element of a sum of vectors", no, no, vectorAdd(10, 1), Paper{23, 18, 28}},
	{"PrimeNumCounter", "a task for each number; primes are counted in a section", yes, no, primes(2, 9), Paper{23, 34, 22}},
	{"PrimeNumCounterForAll", "the same with tasks for ranges", yes, no, primesForAll(9), Paper{27, 39, 44}},
	{"ScalarMultiply", "a task for each element of a product", no, no, scalarMultiply(12), Paper{27, 37, 41}},
	{"TwoDimArrays", "a task for each row of a table", no, no, twoDim(12, 4), Paper{27, 22, 40}},
	{"ReciprocalArraySumFutures", "halves of a sum as futures", no, no, reciprocalFutures(10), Paper{37, 32, 72}},
	{"IntegerCounterIsolated", "two tasks increment a counter, round for round", yes, no, isolatedBlocks(8), Paper{43, 774, 697}},
	{"PrimeNumCounterForAsync", "a task for each number of a longer list", yes, no, primes(6, 23), Paper{43, 138, 103}},
	{"Antidep1VarYes", "a[i] = a[i+1]+1 in 20 tasks", no, yes, antidep1(20), Paper{45, 1271, 54}},
	{"Antidep2OrigYes", "a[i][j] = a[i+1][j]+1, a task for each of 20 rows", no, yes, antidep2(20, 20), Paper{45, 1234, 58}},
	{"ReciprocalArraySum", "parts of a sum in tasks", no, no, reciprocal(25), Paper{53, 1801, 51}},
	{"PipelineWithFutures", "three stages, each a future that waits for the one before", no, no, pipeline(7), Paper{62, 61, 53}},
	{"DoAll1OrigNo", "a[i] = a[i]+1 in 100 tasks", no, no, doAll1(100), Paper{207, 650, 372}},
	{"DoAll2OrigNo", "the same for a table, a task for each of 100 rows", no, no, doAll2(100, 100), Paper{207, 47287, 49534}},
	{"Antidep1OrigYes", "a[i] = a[i+1]+1 in 1000 tasks", no, yes, antidep1(1000), Paper{2005, 247736, 58215}},
	{"Antidep2VarYes", "a[i][j] = a[i+1][j]+1, a task for each of 1000 rows", no, yes, antidep2(1000, 20), Paper{2005, 246561, 7003}},
}
