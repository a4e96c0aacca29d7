// Package schedulefile reads and writes the schedule of a finding: a record of a schedule
// (docs/design/schedule.md) with comments that say which test of which binary it belongs to. So the
// file alone is enough to run the schedule again, and the program itself reads it as
// any other record.
package schedulefile
