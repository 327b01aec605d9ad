#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Options from the environment: $BENCH_RUN_OPTS stands before the command line.
. "${0%/*}/../lib/tap.sh"

run() { timeout 60 bench-run -q -e none -w 0 "$@"; }
# preset TEXT COMMAND...: with such options in the environment
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

is "$(preset '-r 3' run -- true | walls)" 3 'an option from the environment'
is "$(preset '-r 3' run -r 2 -- true | walls)" 2 'that of the command line wins'
is "$(preset '--runs=3 -n "a b" --' run -- true | unmarked - | cut -d, -f7 | sort -u | sed 1d)" bench 'words as the shell has them'
is "$(preset '-P a=1,2' run -r 1 -P b=3,4 -- true | awk -F, '/,wall,/ { printf "%s%s ", $8, $9 }')" \
	'13 14 23 24 ' 'repeatable ones add up, those of the environment first'
is "$(preset "-r 1 -c 'echo x'" run | walls)" 1 'a command may be there, too'
is "$(preset " 	" run -r 1 -- true | walls)" 1 'blanks are nothing'
is "$(preset '-r 1 --json' run -- true | head -c 1)" '[' 'a form of output'
is "$(preset '-r 1 --json' run --csv -- true | cut -c1-4 | head -n 1)" 'run,' 'of which the command line may choose another'

# refused TEXT MESSAGE
refused() {
	status 2 "refused: $1" preset "$1" run -- touch ran
	is "$(cat .err)" "bench-run: $2 (see bench-run --help)" 'with one line that names it'
}
refused '-r x' "BENCH_RUN_OPTS: --runs: 'x' is not a count (for example 20 or 10k)"
refused '--no-such' 'BENCH_RUN_OPTS: unknown or ambiguous option --no-such'
refused '-r' 'BENCH_RUN_OPTS: option --runs requires a value: N'
refused '-r 1 true' "BENCH_RUN_OPTS: 'true' is not an option; only options are allowed"
refused '-- true' "BENCH_RUN_OPTS: 'true' is not an option; only options are allowed"
refused '--csv --json' 'BENCH_RUN_OPTS: --csv, --table and --json exclude each other'
refused "-n 'a" "BENCH_RUN_OPTS: command line '-n 'a': a quote does not end"
ok 'before anything runs' test ! -e ran
preset '-t 1s' run -r 1 -- true 2>err
like "$(cat err)" '^bench-run: .* \(BENCH_RUN_OPTS is set\) \(see bench-run --help\)$' 'what goes wrong later says that it is set'
preset '-J 0' run -r 1 -- true 2>err
like "$(cat err)" '^bench-run: -J: .* \(BENCH_RUN_OPTS is set\)$' 'each time'
run -r 1 -J 0 -- true 2>err
unlike "$(cat err)" 'BENCH_RUN_OPTS' 'where it is'

like "$(bench-run --help | tail -n 2)" 'BENCH_RUN_OPTS' '--help tells of it'
for asks in --help --version --list-options '-q --help' '-c x --help'; do
	# shellcheck disable=SC2086
	is "$(preset '--no-such' bench-run $asks)" "$(bench-run $asks)" "$asks does not look at it"
done
is "$(preset '--version' bench-stat --help)" "$(bench-stat --help)" 'nor do other programs'
is "$(preset '-r 1' run -- echo --help | walls)" 1 'what follows the command is not asked'
done_testing
