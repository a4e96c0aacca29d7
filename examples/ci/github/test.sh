#!/bin/sh
# The step "Test" of action.yml: runs the tests, then writes the reports for GitHub. It ends
# with the status of the tests.
set -u
out=$RUNNER_TEMP/taskinstr-$$
mkdir -p "$out/reports" || exit 1
export TASKINSTR_REPORTS="$out/reports"
export TASKINSTR="predicted=${INPUT_PREDICTED:-warn} ${TASKINSTR:-}"
[ -z "${INPUT_BASELINE:-}" ] || set -- "-baseline=$INPUT_BASELINE"

set -f # flags and packages are words, ... is no file name
taskinstr test "$@" ${INPUT_FLAGS:-} ${INPUT_PACKAGES:-./...}
status=$?
set +f

write() { # write FORMAT FILE
	taskinstr report "-$1" -o "$2" "$TASKINSTR_REPORTS"
	case $? in 0 | 66) ;; *) echo "test.sh: no $2" >&2 ;; esac # 66: there is a race
}
write sarif "$out/races.sarif"
write junit "$out/races.xml"
taskinstr view -o "$out/races.html" "$TASKINSTR_REPORTS"
taskinstr report -github "$TASKINSTR_REPORTS"
{
	echo '### taskinstr'
	echo '````'
	taskinstr report "$TASKINSTR_REPORTS"
	echo '````'
} >>"$GITHUB_STEP_SUMMARY"
{
	echo "reports=$out/reports"
	echo "sarif=$out/races.sarif"
	echo "junit=$out/races.xml"
	echo "page=$out/races.html"
} >>"$GITHUB_OUTPUT"
exit $status
