#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert limits how much it reads of a file, a device or a pipe.
. "${0%/*}/../lib/tap.sh"

data=$ROOT/tests/fixtures/data/convert
# AddressSanitizer reserves more address space than these limits.
skip_unless unsanitized 'bench-convert limits how much it reads' || { done_testing; exit; }
# within KIB COMMAND...: runs a command with this much address space, so that it fails if it reads on
within() {
	(
		# shellcheck disable=SC3045 # dash knows it
		ulimit -v "$1"
		shift
		"$@"
	)
}
status 2 'bench-convert rejects a device that never ends' within 4000000 bench-convert /dev/zero
is "$(cat "$T/.err")" 'bench-convert: /dev/zero is larger than the limit of 1073741824 bytes' \
	'the message about a device that never ends has its name and the limit'
yes 'BenchmarkX 1 5 ns/op' 2>/dev/null | within 4000000 bench-convert >out.csv 2>err
is "$?,$(wc -c <out.csv),$(cat err)" '2,0,bench-convert: standard input is larger than the limit of 1073741824 bytes' \
	'bench-convert rejects a pipe that never ends'
mkdir tree
cp "$data/go.txt" tree
truncate -s 1073741825 tree/perf.data
is "$(within 4000000 bench-convert tree 2>err | cksum)" "$(bench-convert "$data/go.txt" | cksum)" \
	'bench-convert reads a directory with a file that is too large'
is "$(cat err)" 'bench-convert: tree/perf.data is larger than the limit of 1073741824 bytes; skipped' \
	'bench-convert reports a file in a directory that is too large'
done_testing
