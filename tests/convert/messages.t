#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What bench-convert says about files that it cannot read or write, and about those that it skips.
. "${0%/*}/../lib/tap.sh"

data=$ROOT/tests/fixtures/data/convert
cp "$data/go.txt" .
mkdir one

# message COMMAND...: the message of a command that must fail with status 2 and without output
message() {
	"$@" >out 2>err
	echo "$? $(wc -c <out) $(cat err)"
}

# Names
is "$(message bench-convert '')" '2 0 bench-convert: the name of an input file is empty' 'bench-convert rejects an empty name of a file'
is "$(message bench-convert -o '' go.txt)" '2 0 bench-convert: the name of an output file is empty' \
	'bench-convert -o rejects an empty name'
is "$(message bench-convert -o one/ go.txt)" '2 0 bench-convert: one/: the name of a file cannot end in a slash' \
	'bench-convert -o rejects the name of a directory'
done_testing
