#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-compare --junit: a test case for each row that decides and for each subject with a finding.
. "${0%/*}/../lib/tap.sh"

# stream BENCH STATUS FROM STEP COUNT: rows of wall with evenly spaced values
stream() {
	awk -v bench="$1" -v status="$2" -v from="$3" -v step="$4" -v n="$5" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "%s,%d,wall,ns,%d,%s\n%s,%d,max_rss,B,%d,%s\n", bench, i, from + i * step, status,
				bench, i, 5000 + i, status
	}'
}
head='bench,sample,metric,unit,value,status'
many() {
	echo "$head"
	stream steady ok 1000 1 20
	stream "$1" ok "$2" 1 20
}
# cases FILE: the test cases as lines CLASS|NAME|OUTCOME
cases() {
	awk -F '"' '
		/<testcase/ { name = $2 "|" $4; outcome = "passed" }
		/<(failure|error|skipped)/ { outcome = $1; gsub(/[ <]|message=/, "", outcome) }
		/\/>$/ && /<testcase/ || /<\/testcase>/ { print name "|" outcome }' "$1"
}
# counts FILE: the numbers of cases, failures, errors and skipped cases that the suite states, and that it has
counts() {
	xmllint --xpath 'concat(//testsuite/@tests, " ", //testsuite/@failures, " ", //testsuite/@errors, " ",
		//testsuite/@skipped)' "$1"
	xmllint --xpath 'concat(count(//testcase), " ", count(//failure), " ", count(//error), " ", count(//skipped))' "$1"
}

many slower 1000 >old.csv
many slower 2000 >new.csv
status 1 '--junit does not change the exit status of a regression' bench-compare -q --gate --junit j.xml old.csv new.csv
is "$(cases j.xml)" 'steady|wall|passed
slower|wall|failure' '--junit has a case for each row that decides'
like "$(cat j.xml)" '<failure message="worse: slower: wall 1\.010 µs -&gt; 2\.010 µs, \+99\.1%' 'the message of a failure has the values and the change'
cp new.csv kept.csv
status 2 '--junit rejects the name of the new side' bench-compare --junit new.csv old.csv new.csv
is "$(cmp new.csv kept.csv 2>&1)" '' '--junit does not replace the new side'
if skip_unless xmllint 'the file of --junit fits the schema'; then
	ok 'the file of --junit fits the schema' xmllint --noout --schema "$ROOT/tests/fixtures/junit.xsd" j.xml
	is "$(counts j.xml)" '2 1 0 0
2 1 0 0' 'the suite of --junit states its numbers of cases'
fi
status 1 '--junit works with --markdown' bench-compare -q --markdown --junit m.xml old.csv new.csv
ok '--junit is the same with --gate and --markdown' cmp j.xml m.xml

# Findings that belong to a subject.
{ echo "$head"; stream steady ok 1000 1 20; stream slower ok 1000 1 10; stream slower failed:exit=1 9 0 10; } >failing.csv
status 1 '--junit does not change the exit status of failing samples' bench-compare -q --gate --junit j.xml old.csv failing.csv
is "$(cases j.xml | tail -n 1)" 'slower|failed samples in failing.csv|failure' '--junit has a failure for samples that fail'
{ echo "$head"; stream steady ok 1000 1 20; } >vanished.csv
status 2 '--junit does not change the exit status of a vanished subject' bench-compare -q --gate --junit j.xml old.csv vanished.csv
is "$(cases j.xml)" 'steady|wall|passed
slower|wall|skipped
slower|max_rss|skipped
slower|samples in vanished.csv|error' '--junit has an error for a subject that vanished'
status 0 '--junit does not change the exit status of an allowed finding' bench-compare -q --gate --allow-missing --junit j.xml old.csv vanished.csv
is "$(cases j.xml | tail -n 1)" 'slower|samples in vanished.csv|skipped' '--junit skips a finding that the options allow'
{ echo "$head"; stream other ok 1 1 20; } >none.csv
status 2 '--junit writes a file although nothing can be compared' bench-compare -q --gate --junit j.xml vanished.csv none.csv
is "$(cases j.xml | grep bench-compare)" 'bench-compare|comparison|error' '--junit has an error if nothing can be compared'
status 0 '--junit does not change the exit status of accepted new names' bench-compare -q --gate --allow-missing --junit j.xml vanished.csv none.csv
is "$(cases j.xml | grep bench-compare)" 'bench-compare|comparison|skipped' '--junit skips a comparison of which the options accept that it is empty'

# Rows that have no verdict.
{ echo "$head"; stream steady ok 1000 1 3; } >few.csv
status 2 '--junit does not change the exit status of too few values' bench-compare -q --gate --junit j.xml few.csv few.csv
is "$(cases j.xml)" 'steady|wall|error' '--junit has an error for a row with too few values'
{ echo "$head"; stream steady ok 1000 100 20; } >noisy.csv
{ echo "$head"; stream steady ok 1100 100 20; } >noisier.csv
status 0 '--junit does not change the exit status of a row that is unsure' bench-compare -q --gate --junit j.xml noisy.csv noisier.csv
is "$(cases j.xml)" 'steady|wall|skipped' '--junit skips a row that is unsure'
status 1 '--junit does not change the exit status of --unsure fail' bench-compare -q --gate --unsure fail --junit j.xml noisy.csv noisier.csv
is "$(cases j.xml)" 'steady|wall|failure' '--junit has a failure for a row that is unsure with --unsure fail'

# Names, and errors.
many '"a<b>&""c' 1000 >odd.csv
sed -i 's/^"a<b>&""c/"a<b>\&""c"/' odd.csv
bench-compare -q --junit j.xml odd.csv odd.csv >/dev/null 2>&1
like "$(cat j.xml)" 'classname="a&lt;b&gt;&amp;&quot;c"' '--junit escapes names'
status 2 '--junit fails if the file cannot be written' bench-compare -q --gate --junit nowhere/j.xml old.csv new.csv
status 2 '--junit does not apply with --history' bench-compare --history --junit j.xml old.csv
done_testing
