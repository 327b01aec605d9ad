#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# share/json-schema: the JSON of all programs fits the schemas, which reject wrong types.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"
schemas=$ROOT/share/json-schema

for file in "$schemas"/*.json; do
	ok "the schema ${file##*/} is in the directory of the built programs" cmp "$file" "$BUILD/share/benchutils/json-schema/${file##*/}"
	like "$(cat "$ROOT/man/bench-csv.5")" "^\.It Pa share/benchutils/json-schema/${file##*/}\$" "bench-csv(5) lists the schema ${file##*/}"
done
skip_unless jsonschema 'JSON is checked with python3-jsonschema' || { done_testing; exit; }

# Each line of the pairs: the schema, whether the file fits, and the file.
cat >check.py <<'.py'
import json, sys, jsonschema
for line in open("pairs"):
    schema, fits, path = line.split()
    schema = json.load(open(sys.argv[1] + "/" + schema + ".json"))
    jsonschema.Draft7Validator.check_schema(schema)
    errors = [e.message for e in jsonschema.Draft7Validator(schema).iter_errors(json.load(open(path)))]
    print(path, "fits" if not errors else "no", *errors[:1] if fits == "fits" else "")
.py
{
	samples r a 1000 0.02 12 1
	samples r b 2000 0.02 12 2
	echo 'r,h,a,12,wall,ns,,timeout'
} | { echo run,host,bench,sample,metric,unit,value,status && sed 's/$/,/' | sed 's/,$//'; } >base.csv
bench-env >env.csv
bench-convert -t json base.csv >stream.converted
cat env.csv base.csv | bench-convert -t json >stream.facts
bench-run -q -e none -w 0 -r 2 --label 'q"=é' --json -d kept true >stream.run
cp kept/*/results.json results.run
bench-store -q -D s.db add base.csv
bench-store -D s.db export --json >stream.store
bench-env --json >facts.env
bench-convert -t json env.csv >facts.converted
bench-list --json kernels >subjects.kernels
bench-list --json models >subjects.models
bench-list --csv kernels | bench-convert -t json >subjects.converted
bench-stat --json base.csv >statistics.stat
bench-stat --csv base.csv | bench-convert -t json >statistics.converted
printf '%s\n' b,n,metric,value b,1,m,1 b,2,m,2 b,4,m,4.1 b,8,m,8 c,1,m,-1 | bench-stat -q --growth n --json >growth.stat
bench-compare --json -b bench base.csv >verdicts.compare 2>/dev/null
bench-compare --csv -b bench base.csv 2>/dev/null | bench-convert -t json >verdicts.converted
echo '[{"metric": "m", "value": 1, "f": true, "x_any": {"a": [1]}, "sample": null}]' >stream.any
echo '[]' >stream.empty
for file in stream.* results.* facts.* subjects.* statistics.* growth.* verdicts.*; do
	echo "${file%%.*} fits $file"
done >pairs
fitting=$(wc -l <pairs)
bad() { echo "$2" >"bad.$1.$3" && echo "$1 no bad.$1.$3" >>pairs; }
bad stream '[{"metric": "m", "value": "1"}]' text
bad stream '[{"metric": "m", "value": 1, "sample": 0.5}]' fraction
bad stream '[{"metric": "m", "value": 1, "bench": 2}]' name
bad stream '[{"metric": "m", "value": 1, "f": [1]}]' nested
bad stream '[{"value": 1}]' metric
bad stream '[{"fact": "m", "value": 1}]' env
bad stream '{"metric": "m", "value": 1}' object
bad facts '[{"env": "e", "fact": 1, "value": 1}]' name
bad subjects '[{"kind": "x", "bench": "a", "subject": "a"}]' kind
bad statistics '[{"metric": "m", "unit": "ns", "mean": "1"}]' text
bad verdicts '[{"metric": "m", "unit": "ns", "verdict": "good"}]' word
bad results '{"format": "other"}' format
python3 check.py "$schemas" >out 2>&1
is "$(grep -c ' fits$' out)" "$fitting" "the JSON of all programs fits its schema"
is "$(grep '^bad' out | grep -v ' no$')" '' "the schemas reject wrong types"
is "$(wc -l <out)" "$(wc -l <pairs)" "each JSON file is compared with its schema"
grep ' no' out | grep -v '^bad' | sed 's/^/# /'
# The programs also reject these files, except a single object, which is JSON Lines.
got=
for file in bad.stream.*; do
	bench-stat "$file" >/dev/null 2>err
	[ $? = 2 ] || got="$got $file"
done
is "$got" ' bad.stream.object' "bench-stat rejects what the schema of streams rejects, except JSON Lines"
done_testing
