#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Options and parameters that would have no effect are reported with their names, and with what has them.
. "${0%/*}/../lib/tap.sh"

gcc -O2 -shared -fPIC -I "$ROOT/include" -o some.so -x c - <<'END_OF_C' || exit 1
#include <bench.h>

BENCH(loop, "param.size=1,2 items=factor*size")
{
	BENCH_LOOP(b)
		BENCH_CLOBBER();
}
void run_plain(void);
void run_plain(void)
{
}
END_OF_C
# notes_of OPTION...: the notes of bench-run on functions
notes_of() { { bench-run -r 1 --processes 1 -w 0 -e none --sample-time 1us "$@" >samples.csv; } 2>&1; }

is "$(notes_of -f some.so:loop -P factor=1 -P sise=3)" \
	"bench-run: -P: no function declares a parameter 'sise'; did you mean size? (there are: size, factor)" \
	'bench-run -f reports a misspelled parameter, and suggests the declared one'
is "$(notes_of -f some.so:plain -P typo=1)" "bench-run: -P: no function declares a parameter 'typo' (there are: none)" \
	'bench-run -f reports a parameter of a function that declares none'
is "$(notes_of -f some.so:loop -P factor=1 -P size=3)" '' 'bench-run -f is silent about parameters that are declared or are part of items'
is "$(notes_of -q -f some.so:plain -P typo=1)" '' 'bench-run -q -f does not report a parameter that no function declares'
is "$(notes_of -f some.so:plain -P dir=. --setup 'test -d {dir}')" '' 'a parameter that only a hook of a function uses is not reported'
is "$(notes_of -f some.so:plain -P words=1 -c 'echo {words}')" '' 'a parameter of a command is not reported when functions are also measured'
is "$(notes_of -f some.so:loop -P factor=1 -P word=1 -c true)" \
	"bench-run: -P: no command or function has a parameter 'word' (there are: size, factor)" \
	'a parameter that neither a command nor a function has is reported'
is "$(notes_of -f some.so:plain -P OMP_NUM_THREADS=1,2)" \
	"bench-run: -P: no function declares a parameter 'OMP_NUM_THREADS' (there are: none); to set the environment variable, add --env OMP_NUM_THREADS={OMP_NUM_THREADS}" \
	'bench-run -f says how to vary an environment variable'
is "$(notes_of -P THREADS=1,2 true)" \
	"bench-run: -P THREADS: no command has {THREADS}, so its values change nothing; to set the environment variable, add --env THREADS={THREADS}" \
	'bench-run says how to vary an environment variable of commands'
is "$(notes_of -P THREADS=1,2 --env 'THREADS={THREADS}' printenv THREADS)" '' 'the advice about an environment variable works'
for word in null pipe inherit; do
	status 2 "bench-run --output=$word is refused, because it does not choose the output of commands" bench-run -r 1 --output=$word true
	like "$(cat .err)" "--output $word: names the file of samples; use --stdout for the output of commands" "the message about --output=$word names --stdout"
done
is "$(ls null pipe inherit 2>/dev/null)" '' 'no file is named like an output of commands'
is "$(notes_of -f no-such.so -P typo=1 -c true | grep -c typo)" 0 'parameters of an object that is missing are not judged'

# says STATUS MESSAGE DESCRIPTION COMMAND...: the command ends with this status and message
says() {
	want=$1 message=$2 description=$3
	shift 3
	"$@" 2>message >listed.csv </dev/null
	is "$?,$(cat message)" "$want,${message:+$1: }$message" "$description"
}
says 2 "-P: no listed kernel or model has a parameter 'bacth'; did you mean batch? (there are: batch, image, width, blocks1, blocks2, blocks3, blocks4, classes; see bench-list --help)" \
	'bench-list models rejects a parameter that no listed model has' bench-list models resnet50 -P bacth=4
says 2 "-P: no listed kernel or model has a parameter 'typo' (there are: n; see bench-list --help)" \
	'bench-list kernels rejects a parameter that no listed kernel has' bench-list kernels copy -P typo=4
says 0 '' 'bench-list accepts parameters that only some of the listed kernels and models have' \
	bench-list kernels,models copy resnet50 -P image=64 -P n=9
says 1 "no name matches 'none'" 'bench-list does not judge parameters when it lists nothing' bench-list models none -P typo=4
bench-list --export net.onnx -k copy -P n=8
says 2 "-P: no listed kernel or model has a parameter 'rows' (there are: none; see bench-list --help)" \
	'bench-list models rejects a parameter that an ONNX file does not have' bench-list models net.onnx -P rows=4

says 2 '--seal works only for check (see bench-store --help)' 'bench-store names an option that belongs to another verb' \
	bench-store -D none.db list --seal
says 2 '--anonymize-key works only for export (see bench-store --help)' 'bench-store names the first of several options that belong to other verbs' \
	bench-store -D none.db info --anonymize-key k --vacuum
says 2 '--bench works only for list, export, tag, untag, annotate and prune (see bench-store --help)' \
	'bench-store names a filter that the verb does not take' bench-store -D none.db add --bench x
is "$(ls none.db 2>/dev/null)" '' 'bench-store creates no database when it rejects an option'
done_testing
