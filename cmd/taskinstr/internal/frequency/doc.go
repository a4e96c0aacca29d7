// Package frequency estimates from the source of a package how often its code runs.
//
// # Terms
//
// The trip count of a loop is the number of its iterations. It is known if constants
// bound the loop; any other loop counts UnknownTrips. The weight of a function is the
// estimated number of its calls while its package is used once: one if code outside of the
// package may call it, and the sum over the calls in the package, each times the trip
// counts of the loops around the call. The estimate of a place is the weight of its
// function times the trip counts of the loops around the place.
//
// # Algorithm
//
// Weights follow the static calls from callers to callees. A call in a branch counts for a part:
// half in an if statement, one of n in a switch of n cases. Functions that call each other, in a
// cycle, count UnknownTrips times as often, as if the recursion were one loop around all of them.
// A function literal counts as a part of the function around it. An estimate is good for an
// order, not for a prediction: it knows no inputs.
package frequency
