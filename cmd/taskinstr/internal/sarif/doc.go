// Package sarif has the parts of SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0) that
// the logs of the sub-commands use, and writes logs. Package sariftest below it compares a log
// with the schema of the standard.
package sarif
