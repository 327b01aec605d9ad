#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A page of the user that is wrong does not stop bench-convert from reading files by other pages.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

export XDG_CONFIG_HOME="$T/config"
own=$XDG_CONFIG_HOME/benchutils/formats
data=$ROOT/tests/fixtures/data/formats
mkdir -p "$own"
printf 'meaning "JSON of a test"\nneed tests\neach tests/*\nmetrics wall ns\n' >"$own/mine"

bench-convert "$data/vegeta.json" >out.csv 2>err
is "$?,$(columns metric <out.csv | sed q),$(wc -l <err)" 0,latency,1 \
	'bench-convert reads a file by an installed page although a page of the user is wrong'
like "$(cat err)" "formats/mine:4: unknown word 'metrics'.*; the page is not used" \
	'the warning about a wrong page has its path, its line and its consequence'
is "$(bench-convert -q "$data/vegeta.json" 2>&1 >out.csv)" '' 'bench-convert -q does not warn about a wrong page'
bench-convert "$ROOT/tests/fixtures/data/convert/gbench.json" >out.csv 2>err
is "$?,$(wc -c <err)" 0,0 'bench-convert does not warn about a wrong page if it reads a file without pages'
bench-convert -f jmh "$data/jmh.json" >out.csv 2>err
is "$?,$(wc -l <err)" 0,1 'bench-convert -f reads a file by an installed page although a page of the user is wrong'
bench-convert -f mine "$data/jmh.json" >out.csv 2>err
is "$?,$(wc -c <out.csv),$(wc -l <err)" 2,0,1 'bench-convert -f rejects the name of a wrong page in one line'
bench-convert --list --csv >out.csv 2>err
is "$?,$(grep -c ^jmh, out.csv),$(grep -c ^mine, out.csv),$(wc -l <err)" 0,1,0,1 \
	'bench-convert --list warns about a wrong page and lists the others'

printf 'meaning x\nneed a\nmetric wall' >"$own/vegeta"
bench-convert "$data/vegeta.json" >out.csv 2>err
is "$?,$(wc -c <out.csv),$(grep -c 'formats/vegeta:3' err)" 2,0,1 \
	'bench-convert does not use an installed page instead of a wrong one of the user'
bench-convert "$data/jmh.json" >out.csv 2>err
is "$?,$(wc -l <err)" 0,2 'bench-convert warns about each wrong page in one line'
rm "$own/vegeta" "$own/mine"
cp "$ROOT/share/formats/jmh" "$own/hyperfine"
bench-convert "$data/vegeta.json" >out.csv 2>err
is "$?,$(wc -l <err)" 0,1 'bench-convert warns about a page that has the name of another format'
mkdir "$own/directory"
rm "$own/hyperfine"
bench-convert "$data/vegeta.json" >out.csv 2>err
is "$?,$(wc -l <err)" 0,1 'bench-convert warns about a page that is a directory'
done_testing
