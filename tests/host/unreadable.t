#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Facts that cannot be read: env is the hash of the machine, or empty with a message, and never a
# different hash.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

if ! skip_unless unsanitized 'env is correct or empty if files cannot be read'; then
	done_testing
fi
gcc -O1 -shared -fPIC -o sweep.so "$ROOT/tests/lib/fault_sweep.c" || exit 1
hash=$(bench-env --hash)

# sweep CALL ERRNO RUNS PROGRAM [ARG...]: runs a program several times, each time with one failing
# call; the log has the number and the status of each run
sweep() {
	call=$1 errno=$2 runs=$3
	shift 3
	rm -rf sweep
	mkdir sweep
	LD_PRELOAD=$T/sweep.so SWEEP=$call SWEEP_ERRNO=$errno SWEEP_RUNS=$runs SWEEP_DIR=$T/sweep "$@" >sweep.log </dev/null
}

# envs FILE: the values of the column env
envs() { columns env "$1" | sed 1d | sort -u; }

# judge COMMAND STATUS: after a sweep, prints the runs with a wrong result, and counts the runs
# without env in $lost
judge() {
	lost=0
	while read -r k status; do
		env=$($1 sweep/"$k".out)
		lines=$(wc -l <sweep/"$k".err)
		[ -n "$env" ] || lost=$((lost + 1))
		case $env,$lines,$status in
		"$hash",0,0 | "$hash,1,2" | ",1,$2") ;;
		*) echo "$k: env '$env', $lines lines, status $status" ;;
		esac
	done <sweep.log
	[ $lost -gt 3 ] || echo "only $lost runs lost their env"
}

for fault in 'open 24 too many open files' 'open 13 permission denied' 'read 5 an input error'; do
	call=${fault%% *} rest=${fault#* }
	sweep "$call" "${rest%% *}" 70 bench-env --hash
	is "$(judge cat 2 | head -n 5)" '' "bench-env --hash prints the correct hash or fails: ${rest#* }"
	sweep "$call" "${rest%% *}" 20 bench-env
	is "$(judge envs 2 | head -n 5)" '' "the env of bench-env is correct or empty: ${rest#* }"
	sweep "$call" "${rest%% *}" 20 bench-run -q -e none -w 0 -r 1 --commit c -- true
	is "$(judge envs 0 | head -n 5)" '' "the env of bench-run is correct or empty: ${rest#* }"
done
like "$(cat sweep/*.err)" '^bench-run: (proc|sys)/[^ ]*: Input/output error; env is left empty' \
	'bench-run names the unreadable file and says that env is left empty'

# Memory
# names FILE: env and the names of the facts
names() { cut -d, -f1,2 "$1" | sort -u; }
sweep malloc 12 120 bench-env
names sweep/0.out >wanted
while read -r k status; do
	case $status,$(wc -l <sweep/"$k".err) in
	0,0) names sweep/"$k".out | cmp -s - wanted || echo "$k: fewer facts and status 0" ;;
	2,1) ;;
	*) echo "$k: status $status with $(wc -l <sweep/"$k".err) lines" ;;
	esac
done <sweep.log >wrong
is "$(head -n 5 wrong)" '' 'bench-env prints all facts or reports the failed allocation'

# A library that crashes while it is loaded
mkdir fake
printf 'void abort(void);\n__attribute__((constructor)) static void f(void) { abort(); }\n' >crash.c
gcc -shared -fPIC -o fake/libopenblas.so.0 crash.c
LD_LIBRARY_PATH=$T/fake bench-env >out 2>err
is "$?,$(envs out),$(grep -c openblas out)" "2,$hash,0" 'bench-env omits only the facts of a BLAS library that crashes'
like "$(cat err)" '^bench-env: libopenblas.so.0: it crashed when asked \(Aborted\)' 'bench-env reports a BLAS library that crashes'

# Too few file descriptors
prlimit --nofile=4 bench-env --check >out 2>err 3>&- 4>&- 5>&- 6>&- 7>&-
is "$? $(head -n 1 err)" '2 bench-env: perhaps not suitable for benchmarking: 0 problems, 0 notes' \
	'bench-env --check calls no machine suitable whose files cannot be read'
done_testing
