#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The programs that read bench-csv(5) show how to convert files of other programs.
. "${0%/*}/../lib/tap.sh"

data=$ROOT/tests/fixtures/data/convert

# Prints the message of a program that must fail.
message() {
	{ "$@" >out; } 2>&1
}

# bench-convert does not recognize these files either, or sees that they are cut off.
is "$(for file in "$data"/*; do
	bench-stat "$file" 2>&1 >out | grep -q 'convert it: bench-convert ' || echo "${file##*/}"
done)" 'README
asv-benchmarks.json
criterion-benchmark.json
criterion-elements-benchmark.json
gbench-console-color.txt
perf-metrics-only.txt
perf-same-line.jsonl
pgbench-log-failures.txt
pgbench-log.txt' 'bench-stat shows how to convert a file of each format that is recognized'

cp "$data/gbench.json" 'my results.json'
cp "$data/asv.json" asv.json
cp "$data/pyperf-command.json.gz" p.gz
while IFS='|' read -r command pipe; do
	eval "is \"\$(message $command | sed 's/.*(convert it: //; s/)\$//')\" \"\$pipe\" \
		'the message shows how to convert the file that $command reads'"
	pipe_status=0
	eval "$pipe" >out 2>&1 || pipe_status=$?
	is "$((pipe_status < 2))" 1 'the command of the message works'
done <<'EOF'
bench-store -D b.db add asv.json|bench-convert asv.json | bench-store -D b.db add -
bench-stat -g bench p.gz|bench-convert p.gz | bench-stat -g bench -
bench-report -o page.html asv.json|bench-convert asv.json | bench-report -o page.html -
bench-compare -b bench "my results.json"|bench-convert 'my results.json' | bench-compare -b bench -
bench-plot box -o box.svg asv.json|bench-convert asv.json | bench-plot box -o box.svg -
bench-compare asv.json p.gz|bench-convert -o asv.json.csv asv.json
EOF
is "$(message bench-store -D b.db add asv.json)" \
	'bench-store: asv.json: a file of the format asv (convert it: bench-convert asv.json | bench-store -D b.db add -)' \
	'the message about a file of another program names its format'
printf '%s\n' bench,metric,value a,wall,ten >bad.csv
is "$(message bench-stat bad.csv | grep -c 'convert it')" 0 'a damaged table of bench-csv is not to be converted'
done_testing
