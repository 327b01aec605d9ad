#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert warns about parts of a file that it does not read, and rejects what was cut off.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
pages=$ROOT/tests/fixtures/data/formats

# refused MESSAGE SUBJECT OPTION...: one line that contains the message, status 2 and no output
refused() {
	message=$1
	subject=$2
	shift 2
	bench-convert "$@" >out.csv 2>err
	is "$?,$(wc -c <out.csv),$(wc -l <err)" 2,0,1 "bench-convert rejects $subject in one line"
	like "$(cat err)" "$message" "the message about $subject says why"
}

cat "$data/go.txt" "$data/wrk.txt" >mixed.txt
bench-convert mixed.txt >out.csv 2>err
is "$?,$(columns bench <out.csv | sed q),$(cat err)" \
	"0,Sum,bench-convert: mixed.txt: lines of the format go are read, but not those of the format wrk (-f wrk reads them)" \
	'bench-convert names the other format of which a file has lines'
is "$(bench-convert -f wrk mixed.txt 2>err | columns metric | sed q),$(wc -c <err)" latency,0 \
	'bench-convert -f reads one of two formats without a warning'
cat "$data/go.txt" "$data/asv.json" >mixed.txt
bench-convert mixed.txt 2>&1 >out.csv | grep -c 'but not the JSON after them' >count
is "$(cat count)" 1 'bench-convert warns that it does not read JSON after lines'
cat "$pages/gbench.csv" "$data/time-bash.txt" >mixed.txt
bench-convert mixed.txt 2>&1 >out.csv | grep -c 'format time are read, but not those of the format gbench-csv' >count
is "$(cat count)" 1 'bench-convert warns that it does not read lines of a format that is a page'
cat "$data/perf-counts.txt" "$data/perf-semicolons.txt" >mixed.txt
refused 'a separator other than that of the lines before' 'lines of perf with two separators' mixed.txt
cat "$data/perf-counts.jsonl" >mixed.txt
printf '{"benchmark": "x", "ns": 1}\n' >>mixed.txt
refused 'neither an event nor a metric' 'a line of JSON that perf did not write' mixed.txt
cat "$data/massif.out" "$data/massif.out" >mixed.txt
refused 'second line "cmd:"' 'two files of massif in one' mixed.txt

for file in perf-counts.txt time-posix.txt time-verbose.txt folded.txt folded-perf.txt cachegrind.out hyperfine-parameters.csv; do
	printf %s "$(cat "$data/$file")" >cut.txt
	refused 'the last line has no end' "$file without its last end of line" cut.txt
done
printf %s "$(cat "$pages/gbench.csv")" >cut.csv
bench-convert cut.csv >out.csv 2>err
is "$?,$(grep -c 'the last line has no end' err)" 0,1 'bench-convert warns about CSV of a page without its last end of line'

refused "not of the format vegeta, which needs 'latencies/mean'" 'a file without what the named page needs' -f vegeta "$data/gbench.json"
refused "not of the format gbench-csv, which needs 'name'" 'CSV without what the named page needs' -f gbench-csv "$data/hyperfine-parameters.csv"
done_testing
