#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The whole pipeline under valgrind: no error and no leak in any program.
. "${0%/*}/../lib/tap.sh"

if ! skip_unless unsanitized 'valgrind finds no fault in the programs' ||
	! skip_unless valgrind 'valgrind finds no fault in the programs'; then
	done_testing
fi
# clean DESCRIPTION COMMAND...: valgrind finds nothing in the command (whose children it leaves)
clean() {
	what=$1
	shift
	ok "valgrind finds no fault in $what" valgrind -q --error-exitcode=99 --leak-check=full --child-silent-after-fork=yes \
		--errors-for-leak-kinds=definite,possible "$@"
}

cat >bad.csv <<'END'
bench,metric,value
a,wall,1
a,wall
END

clean 'bench-run' bench-run -q -r 6 -w 1 -e page-faults -P n=1,2 --label k=v -d kept \
	--extract 'size=([0-9]+)' -c 'echo {n}' -c true
bench-run -q -e none -r 6 -c 'true' -c 'echo x' >s.csv
clean 'bench-stat' bench-stat s.csv
clean 'bench-stat --json' bench-stat --json s.csv
clean 'bench-store add' bench-store -q -D h.db add s.csv
clean 'bench-store export' bench-store -D h.db export
clean 'bench-store list' bench-store -D h.db list
clean 'bench-compare' bench-compare -q -b bench --threshold 100000% s.csv
clean 'bench-plot --script' bench-plot box --script s.csv
clean 'bench-env' bench-env
valgrind -q --error-exitcode=99 --leak-check=no bench-stat bad.csv >/dev/null 2>err
is $? 2 'bench-stat rejects a malformed file under valgrind'
done_testing
