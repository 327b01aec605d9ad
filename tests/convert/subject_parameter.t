#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A parameter that another program names "subject" does not make the rows a list of subjects.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

printf '{"context": {}, "benchmarks": [{"name": "a/subject:1", "real_time": 1, "time_unit": "ns"}]}' >in.json
bench-convert in.json >out.csv
is "$(columns bench,subject_,metric,value <out.csv)" a,1,wall,1 'bench-convert renames a parameter subject of another program to subject_'
is "$(bench-convert out.csv | columns subject_,value)" 1,1 'bench-convert reads the rows of a parameter subject again'
status 0 'bench-stat summarizes the rows of a parameter subject' bench-stat out.csv
done_testing
