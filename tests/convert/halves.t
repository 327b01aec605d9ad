#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Parameters that other programs name "aa" are not the halves of bench-run --aa.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# file VALUE: writes in.json, with a parameter aa
file() { sed "s/\"n\": *\"[0-9]*\"/\"aa\": \"$1\"/" "$ROOT/tests/fixtures/data/convert/hyperfine.json" >in.json; }
file 64k
bench-convert in.json >out.csv
is "$?,$(columns aa_ <out.csv | sort -u)" 0,64k 'bench-convert renames a parameter aa of another program to aa_'
status 0 'bench-convert reads the rows of a parameter aa again' bench-convert out.csv
file a
is "$(bench-convert in.json | columns aa_ | sort -u)" a \
	'bench-convert renames a parameter aa whose value looks like that of bench-run --aa'
printf 'bench,aa,metric,value\nx,a,wall,1\nx,b,wall,2\n' >in.csv
is "$(bench-convert in.csv | columns aa,value)" 'a,1
b,2' 'bench-convert keeps the column aa of bench-csv(5)'
done_testing
