#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reports pages of formats that it cannot read, and what a page does not find.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

export XDG_CONFIG_HOME="$T/config"
own=$XDG_CONFIG_HOME/benchutils/formats
data=$ROOT/tests/fixtures/data/formats
mkdir -p "$own"

# Pages that cannot be read
mkfifo "$own/pipe"
timeout 20 bench-convert "$data/vegeta.json" >out.csv 2>err
is "$?,$(wc -l <out.csv),$(cat err)" \
	"0,8,bench-convert: $own/pipe: not a regular file; the page is not used" \
	'bench-convert does not wait for a pipe among the pages of the user'
rm "$own/pipe"
cp -R "$ROOT/share" share
rm -r share/formats
BENCH_SHARE=$T/share bench-convert "$data/vegeta.json" >out.csv 2>err
is "$?,$(wc -c <out.csv),$(grep -c "^bench-convert: $T/share/formats: No such file or directory; its pages of formats are not used$" err)" \
	2,0,1 'bench-convert reports that the installed pages are missing if it knows no format of a file'
BENCH_SHARE=$T/share bench-convert -f vegeta "$data/vegeta.json" >out.csv 2>err
is "$?,$(grep -c "cannot read the format 'vegeta': $T/share/formats: No such file" err)" 2,1 \
	'bench-convert -f reports that the installed pages are missing'
BENCH_SHARE=$T/share bench-convert --list >out.txt 2>err
is "$?,$(grep -c 'share/formats: No such file' err)" 0,1 'bench-convert --list reports that the installed pages are missing'
BENCH_SHARE=$T/share bench-convert "$ROOT/tests/fixtures/data/convert/gbench.json" >out.csv 2>err
is "$?,$(cat err)" '0,' 'bench-convert does not report missing pages if it needs none'

# Records that a page does not find
printf 'meaning m\nneed tests\neach tests/*\nonly kind=bench\nbench {name}\nmetric wall ns unit=ns\nmetric calls calls\n' >mine
echo '{"tests": []}' >none.json
bench-convert -f ./mine none.json 2>err
is "$(cat err)" "bench-convert: none.json: no measurements in the format mine: 'each tests/*' of its page matches nothing" \
	'bench-convert names the path of a page that matches no record'
echo '{"tests": [{"name": "a", "kind": "test", "ns": 5}]}' >other.json
bench-convert -f ./mine other.json 2>err
is "$(cat err)" "bench-convert: other.json: no measurements in the format mine: no record fulfills 'only kind=bench' of its page" \
	'bench-convert names the condition of a page that no record fulfills'

# Values that are missing
cat >null.json <<'.'
{"tests": [{"name": "a", "kind": "bench", "ns": null, "calls": 3}, {"name": "b", "kind": "bench", "ns": 5}]}
.
is "$(bench-convert -f ./mine null.json | columns bench,metric,value,status)" 'a,wall,,skipped
a,calls,3,
b,wall,5,' 'bench-convert gives a null of a page a row without a value, whose status is skipped'
printf 'meaning m\nneed tests\neach tests/*\nbench {name}\nmetric wall ns unit=ns\nmetric * more/*\n' >starred
echo '{"tests": [{"name": "a", "ns": 5, "more": {"ipc": null, "note": "x", "hits": 2}}]}' >starred.json
is "$(bench-convert -f ./starred starred.json | columns metric,value,status)" 'wall,5,
ipc,,skipped
hits,2,' 'bench-convert gives a null that a page finds by * a row without a value'
done_testing
