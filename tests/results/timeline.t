#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run --timeline writes the phases, samples and operations of kernels and models as a document in
# the Trace Event Format.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/trace.sh"

BENCH_BACKEND_PATH=$BUILD/tests/plugins
export BENCH_BACKEND_PATH
what="a time line keeps the rules of the Trace Event Format"
skip_unless python3 "$what" || { done_testing && exit; }
# run OPTIONS: measures in few samples
run() { timeout 60 bench-run -q -e none -r 2 -w 1 --processes 1 --sample-time 1ms "$@"; }
# cells COLUMN...: prints columns of the CSV rows on standard input
cells() {
	awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] != "rows" { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }'
}
# of CATEGORY FIELD...: prints fields of the spans of a category: 4 name, 5 start, 6 duration, 7 arguments
of() {
	category=$1
	shift
	awk -F '\t' -v category="$category" -v fields="$*" '$3 == category {
		n = split(fields, f, " "); for (i = 1; i <= n; i++) printf "%s%s", $f[i], i < n ? " " : "\n" }' spans
}

run --processes 2 -b ref -M resnet50 -P image=32 -P width=4 --ops --timeline model.json >model.csv 2>err
is "$? $(cat err)" "0 " "bench-run --timeline measures a model"
ok "$what" eval 'trace_spans model.json >spans'
is "$(cut -f 1 spans | sort -u | sed 's/^resnet50 .*, process/resnet50, process/' | paste -s -d ';')" "resnet50, process 0;resnet50, process 1" \
	"a time line has each process of a subject"
is "$(cut -f 2 spans | sort -u | sed 's/^ref .*/device/' | sort | paste -s -d ';')" "device;phases and samples" \
	"a time line has a track for the host and one for the device"
is "$(of phase 4 7 | sed 's/clock=host;//' | sort | uniq -c | awk '{ print $1, $2, $3 }' | grep -v calibrate | paste -s -d ,)" \
	"2 compile ,2 first iterations=1;,2 load ,2 open part=device;,2 open part=plug-in;,$(of phase 4 | grep -c warm-up) warm-up $(of phase 4 7 |
		sed -n 's/^warm-up \(iterations=[0-9]*;\).*/\1/p' | head -n 1)" "a time line has the phases before the samples"
for phase in load compile open; do
	rows=$(cells metric value <model.csv | awk -v phase=$phase '$1 == phase { ns += $2 } END { printf "%.0f", ns }')
	ok "the spans of the phase $phase are as long as its rows ($rows ns)" eval \
		'of phase 4 6 | awk "\$1 == \"$phase\" { ns += \$2 } END { exit !(ns > 0 && ns > $rows - 10 && ns < $rows + 10) }"'
done
is "$(of sample 7 6 | sed 's/sample=//; s/;iterations=/ /; s/;clock=host;//' | awk '{ printf "%s %d\n", $1, $3 / $2 }' | sort)" \
	"$(cells sample operation metric value <model.csv | awk '$2 == "wall" { printf "%s %d\n", $1, $3 }' | sort)" \
	"the spans of samples are as long as their rows"
is "$(of operation 4 | sort -u)" "$(cells operation metric <model.csv | grep '^0.* wall$' | sed 's/ wall$//' | sort -u)" \
	"the spans of operations have the names in the column operation"
like "$(of operation 4 7 | head -n 1)" '^000 [^ ]+ kind=[a-z]+;clock=host;$' "the span of an operation has its kind and whose clock it is of"
is "$(awk -F '\t' '$3 == "sample" && end[$1] < $5 + $6 { end[$1] = $5 + $6 } $3 == "operation" && !($1 in first) { first[$1] = $5 }
	END { for (process in first) print (first[process] >= end[process] ? "after" : "before") }' spans | paste -s -d ' ')" "after after" \
	"the operations of a process are measured after its last sample"
ok "the operations take the time that their rows have" awk -v spans="$(of operation 6 | awk '{ ns += $1 } END { printf "%.0f", ns }')" \
	-v rows="$(cells operation metric value <model.csv | awk '/^0.* wall/ { ns += $NF } END { printf "%.0f", ns }')" \
	'BEGIN { exit !(spans > rows / 4 && spans < rows * 4) }'
is "$(sed -n 's/.*"run":"\([^"]*\)".*/\1/p' model.json)" "$(sed -n '2s/,.*//p' model.csv)" "a time line has the id of the run"

run -b ref -M gpt2 -P layers=1 -P seq=8 -P hidden=16 -P heads=2 -P vocab=50 -P new_tokens=4 --timeline tokens.json >tokens.csv
ok "the time line of generated tokens keeps the rules of the format" eval 'trace_spans tokens.json >spans'
is "$(of token 4 7 | sed 's/clock=host;//' | paste -s -d ,)" "prompt token=1;,token token=2;,token token=3;,token token=4;" \
	"a time line has a span for the prompt and for each later token"
is "$(of operation 4 | sed 's/ .*//' | sort -u | grep -c step)" 1 "a time line has the operations of the prompt and of a step"
unlike "$(head -n 1 tokens.csv)" operation "--timeline without --ops adds no column"
run -j 2 -b ref -k copy -P n=1000 --timeline both.json >/dev/null
ok "the time line of concurrent workers keeps the rules of the format" eval 'trace_spans both.json >spans'
is "$(of operation 4 | sort | uniq -c | awk '{ print $1, $2 }')" "2 000" "the first of several workers reports the operations"

printf 'fake model\ninput x float32 4\noutput y float32 4\nop conv Conv 1000\nop relu Relu 250\n' >'odd "name".fake'
run -b fake_engine -M 'odd "name".fake' --ops --timeline odd.json >odd.csv
ok "names are escaped in a time line" eval 'trace_spans odd.json >spans'
like "$(cut -f 1 spans)" '^odd "name"\.fake ' "a time line has the name of the subject"
is "$(of operation 4 6 7 | paste -s -d ,)" "000 conv 1000 kind=Conv;clock=engine;start=derived;,001 relu 250 kind=Relu;clock=engine;start=derived;" \
	"operations of an engine that measures no starts are marked"
is "$(of operation 5 | awk '{ at[NR] = $1 } END { print at[2] - at[1] }')" 1000 "operations without a start are laid end to end"
printf 'fake model\ninput x float32 4\noutput y float32 4\nop conv Conv 1000 50\nop relu Relu 250 60\n' >timed.fake
run -b fake_engine -M timed.fake --timeline timed.json >timed.csv
ok "the time line of an engine keeps the rules of the format" eval 'trace_spans timed.json >spans'
is "$(of operation 4 2 6 7 | sed 's/fake_engine fake device//' | paste -s -d ,)" \
	"000 conv  1000 kind=Conv;clock=engine;,001 relu , thread 1 250 kind=Relu;clock=engine;" \
	"concurrent operations of an engine have a track for each of its threads"
is "$(of operation 5 | awk '{ at[NR] = $1 } END { print at[2] - at[1] }')" 10 "operations have the starts that the engine reports"
printf 'fake model\ninput x float32 4\noutput y float32 4\n' >plain.fake
run -b fake_engine -M plain.fake --timeline plain.json >plain.csv
is "$? $(trace_spans plain.json | cut -f 3 | sort -u | paste -s -d ' ')" "0 phase sample" \
	"an engine that measures no operations has a time line without them"

status 2 "bench-run --timeline reports a full disk" run -b ref -k copy -P n=100 -o full.csv --timeline /dev/full
is "$(cat "$T/.err")" "bench-run: /dev/full: No space left on device" "a time line on a full disk is reported once"
is "$(cells metric <full.csv | grep -c '^wall$')" 2 "a time line that cannot be written does not affect the samples"
(
	ulimit -f 2
	trap '' XFSZ
	run -b ref -k copy -P n=100 --timeline cut.json >/dev/null
) 2>err
is "$? $(cat err)" '2 bench-run: cut.json: File too large
bench-run: cut.json.partial: contains the part of the timeline that could be written' "bench-run names the part of a time line that could be written"
is "$(echo cut.json*) $(head -c 1 cut.json.partial)" 'cut.json.partial {' "the part of a time line that could be written is kept"
# refuses ERE WHAT OPTIONS
refuses() {
	ere=$1 refused=$2
	shift 2
	status 2 "bench-run rejects $refused" run "$@"
	like "$(cat "$T/.err")" "$ere" "bench-run explains why it rejects $refused"
}
refuses '--timeline: for kernels and models only' "a time line of a command" --timeline t.json -c true
refuses 't.csv also gets the samples' "one file for samples and the time line" -k copy -b ref -P n=100 -o t.csv --timeline t.csv
refuses '/dev/stdout also gets the samples' "a time line between the samples" -k copy -b ref -P n=100 --timeline /dev/stdout
refuses "'-' is not the name of an output file" "a time line without a file" -k copy -b ref --timeline -
refuses 'none/t.json: No such file or directory' "a time line in a directory that does not exist" -k copy -b ref -P n=100 --timeline none/t.json
echo old >old.json
echo garbage >bad.fake
run -b fake_engine -M bad.fake --timeline old.json >bad.csv 2>err
is "$(cat old.json)" old "a file is not replaced if no process was measured"
run -b ref -k copy -P n=100 --timeline old.json >/dev/null
ok "the file of --timeline is replaced by a later run" trace_spans old.json
done_testing
