#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Parameters that bench-convert writes for asv are those that asv itself writes.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
python=$VENV/bin/python3
cat >parameters.py <<'.p'
import sys
from asv.results import Results
for path in sys.argv[1:]:
    r = Results.load(path)
    print(sorted((k, r.get_result_params(k)) for k in r.get_all_result_keys() if r.get_result_params(k)))
.p

# The first digits of the commit are part of the name that asv expects.
first=$(grep -o '"commit_hash": "[0-9a-f]*' "$data/asv-parameters.json" | cut -c17-24)
mkdir -p results/box
cp "$data/asv-parameters.json" "results/box/$first-theirs.json"
cp "$data/asv-benchmarks.json" results/benchmarks.json
bench-convert -q -t asv -o "results/box/$first-ours.json" "results/box/$first-theirs.json"
if skip_unless asv "asv finds the parameters of its own file in the file that bench-convert makes of it"; then
	"$python" parameters.py "results/box/$first-theirs.json" >theirs
	"$python" parameters.py "results/box/$first-ours.json" >ours
	is "$(cat ours)" "$(cat theirs)" "asv finds the parameters of its own file in the file that bench-convert makes of it"
	like "$(cat theirs)" "it.'s" "the file of asv has a parameter with an apostrophe"
fi

# Texts in any form, which Python gets back
cat >texts.csv <<'.c'
commit,bench,a,metric,unit,value
c1,x,up,wall,ns,1
c1,x,"it's",wall,ns,2
c1,x,"say ""it's""",wall,ns,3
c1,x,back\slash,wall,ns,4
c1,x,"two
lines",wall,ns,5
c1,x,10,wall,ns,6
c1,x,-1.5e-07,wall,ns,7
c1,x,007,wall,ns,8
c1,x,+1,wall,ns,9
c1,x,None,wall,ns,10
c1,x,"(1, 'a')",wall,ns,11
c1,x,'10',wall,ns,12
c1,x,été,wall,ns,13
.c
bench-convert -t asv -o texts.json texts.csv
bench-convert -o back.csv texts.json
cat >column.py <<'.p'
import csv, sys
print([(r[sys.argv[2]], r["value"]) for r in csv.DictReader(open(sys.argv[1]))])
.p
is "$(python3 column.py back.csv param1)" "$(python3 column.py texts.csv a)" \
	"bench-convert reads back the parameters that it writes for asv"
python3 - >got <<'.p'
import ast, json
for p in json.load(open("texts.json"))["results"]["time_x"][1][0]:
    print(repr(ast.literal_eval(p)))
.p
is "$(cat got)" "'up'
\"it's\"
'say \"it\\'s\"'
'back\\\\slash'
'two\\nlines'
10
-1.5e-07
'007'
'+1'
None
(1, 'a')
'10'
'été'" "Python gets numbers, texts and tuples back from the parameters that bench-convert writes for asv"
done_testing
