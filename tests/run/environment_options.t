#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Options from the environment: $BENCH_RUN_OPTS is read before the command line.
. "${0%/*}/../lib/tap.sh"

run() { timeout 60 bench-run -q -e none -w 0 "$@"; }
# preset TEXT COMMAND...: runs the command with these options in the environment
preset() {
	BENCH_RUN_OPTS=$1
	export BENCH_RUN_OPTS
	shift
	"$@"
	got=$?
	unset BENCH_RUN_OPTS
	return $got
}
walls() { grep -c ,wall,; }

is "$(preset '-r 3' run -- true | walls)" 3 'bench-run reads options from BENCH_RUN_OPTS'
is "$(preset '-r 3' run -r 2 -- true | walls)" 2 'an option of the command line overrides that of BENCH_RUN_OPTS'
is "$(preset '--runs=3 -n "a b" --' run -- true | unmarked - | cut -d, -f7 | sort -u | sed 1d)" bench 'BENCH_RUN_OPTS is split by the quoting rules of the shell'
is "$(preset '-P a=1,2' run -r 1 -P b=3,4 -- true | awk -F, '/,wall,/ { printf "%s%s ", $8, $9 }')" \
	'13 14 23 24 ' 'repeatable options add up, those of BENCH_RUN_OPTS first'
is "$(preset "-r 1 -c 'echo x'" run | walls)" 1 'BENCH_RUN_OPTS may contain -c'
is "$(preset " 	" run -r 1 -- true | walls)" 1 'BENCH_RUN_OPTS may contain only blanks'
is "$(preset '-r 1 --json' run -- true | head -c 1)" '[' 'BENCH_RUN_OPTS may select the output format'
is "$(preset '-r 1 --json' run --csv -- true | cut -c1-4 | head -n 1)" 'run,' 'the command line overrides the output format of BENCH_RUN_OPTS'

# refused TEXT MESSAGE
refused() {
	status 2 "bench-run rejects BENCH_RUN_OPTS='$1'" preset "$1" run -- touch ran
	case $2 in
	*\)) help="${2%)}; see bench-run --help)" ;;
	*) help="$2 (see bench-run --help)" ;;
	esac
	is "$(cat .err)" "bench-run: $help" 'an invalid BENCH_RUN_OPTS is reported in one line that names it'
}
refused '-r x' "BENCH_RUN_OPTS: --runs: 'x' is not a count (for example 20 or 10k)"
refused '--no-such' 'BENCH_RUN_OPTS: unknown option --no-such'
refused '-r' 'BENCH_RUN_OPTS: option --runs requires a value: N'
refused '-r 1 true' "BENCH_RUN_OPTS: 'true' is not an option; only options are allowed"
refused '-- true' "BENCH_RUN_OPTS: 'true' is not an option; only options are allowed"
refused '--csv --json' 'BENCH_RUN_OPTS: --csv, --table and --json cannot be combined'
refused "-n 'a" "BENCH_RUN_OPTS: command line '-n 'a': a quotation mark is not closed"
ok 'bench-run executes no command if BENCH_RUN_OPTS is invalid' test ! -e ran
preset '-t 1s' run -r 1 -- true 2>err
like "$(cat err)" '^bench-run: .* \(BENCH_RUN_OPTS is set; see bench-run --help\)$' 'a later usage error mentions that BENCH_RUN_OPTS is set'
preset '-J 0' run -r 1 -- true 2>err
like "$(cat err)" '^bench-run: -J: .* \(BENCH_RUN_OPTS is set\)$' 'a later error mentions that BENCH_RUN_OPTS is set'
run -r 1 -J 0 -- true 2>err
unlike "$(cat err)" 'BENCH_RUN_OPTS' 'an error does not mention BENCH_RUN_OPTS if it is not set'

like "$(bench-run --help | tail -n 2)" 'BENCH_RUN_OPTS' 'bench-run --help mentions BENCH_RUN_OPTS'
for asks in --help --version --list-options '-q --help' '-c x --help'; do
	# shellcheck disable=SC2086
	is "$(preset '--no-such' bench-run $asks)" "$(bench-run $asks)" "bench-run $asks ignores BENCH_RUN_OPTS"
done
is "$(preset '--version' bench-stat --help)" "$(bench-stat --help)" 'bench-stat ignores BENCH_RUN_OPTS'
is "$(preset '-r 1' run -- echo --help | walls)" 1 'an argument --help of the command does not make bench-run ignore BENCH_RUN_OPTS'
done_testing
