#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reports files that have the same contents.
. "${0%/*}/../lib/tap.sh"

data=$ROOT/tests/fixtures/data/convert
mkdir tree
cp "$data/go.txt" tree/a.txt
gzip -c "$data/go.txt" >tree/b.gz
cp "$data/hyperfine.json" tree/c.json
cp "$data/go.txt" tree/d.txt
is "$(bench-convert tree 2>&1 >out)" \
	'bench-convert: tree/b.gz: the same contents as tree/a.txt, whose rows are therefore written twice
bench-convert: tree/d.txt: the same contents as tree/a.txt, whose rows are therefore written twice' \
	'bench-convert reports files with the same contents, even if one is compressed'
is "$(bench-convert tree/a.txt tree/c.json 2>&1 >out)" '' 'bench-convert reports nothing about different files'
done_testing
