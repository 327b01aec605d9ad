#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-plot flame: the width of frames, tests of differences, every format, and hostile names.
. "${0%/*}/../lib/tap.sh"
export LC_ALL=C.UTF-8

# rows FILE [VERSION]: lines "stack value" as rows of a profile
rows() {
	awk -v version="${2:-a}" '
		BEGIN { print "run,bench,version,stack,metric,unit,value" }
		{
			value = $NF
			sub(/ [^ ]*$/, "")
			gsub(/"/, "\"\"")
			printf "r,prog,%s,\"%s\",samples,1,%s\n", version, $0, value
		}' "$1"
}
cat >new.folded <<'E'
main;parse;strtod 300
main;parse 100
main;write 200
main;read;poll 400
E
cat >old.folded <<'E'
main;parse;strtod 300
main;parse 100
main;write 200
main;read;poll 100
main;log;format 300
E
rows new.folded new >new.csv
rows old.folded old >old.csv

# frames PICTURE: "name x width" of each frame, as fractions of the whole
frames() {
	xmllint --xpath '//*[local-name()="g" and (@class = "f" or @class = "f gone")]' "$1" 2>/dev/null |
		tr -d '\n' | sed 's|</g>|\n|g' |
		sed -n 's|.*<title>\(.*\)</title><rect x="\([0-9.]*\)" y="\([0-9]*\)" width="\([0-9.]*\)".*|\2 \4 \1|p' |
		awk '{ name = $3; sub(/:$/, "", name); printf "%s %.3f %.3f\n", name, ($1 - 8) / 1184, $2 / 1184 }'
}
ok "a flame graph is drawn" bench-plot flame -o new.svg new.csv
if skip_unless xmllint "a flame graph is well-formed XML"; then
	ok "a flame graph is well-formed XML" xmllint --noout new.svg
	is "$(frames new.svg)" "all 0.000 1.000
main 0.000 1.000
parse 0.000 0.400
read 0.400 0.400
write 0.800 0.200
strtod 0.000 0.300
poll 0.400 0.400" "frames lie on their callers, sorted by name, and their width is their share"
fi
like "$(cat new.svg)" '<title>parse: 40%, 400 samples, self 10%</title>' "each frame of a flame graph has a title"
like "$(cat new.svg)" '<title>samples by stack of prog</title>' "a flame graph has a title"
like "$(cat new.svg)" '<desc>A flame graph: .*1000 samples; bench prog' "a flame graph has a description"
like "$(sed -n 's|.*<desc>\(.*\)</desc>.*|\1|p' new.svg)" 'Largest self values: [a-z_]+: [0-9.]+%' \
	"the description of a flame graph names the frames with the largest self values"

# In another order, and cut into pieces, it is the same plot.
{
	head -n 1 new.csv
	tail -n +2 new.csv | sort -r | sed 's/,400$/,150/'
	echo 'r,prog,new,main;read;poll,samples,1,250'
} >mixed.csv
bench-plot flame -o mixed.svg mixed.csv
is "$(cat mixed.svg)" "$(cat new.svg)" "the order of the rows does not change a flame graph"
is "$({ cat new.csv && bench-env; } | bench-plot flame -F svg -o -)" "$(cat new.svg)" \
	"other rows of the stream do not change a flame graph"

is "$(bench-plot flame --size 48x10 -F txt new.csv)" "samples by stack of prog
1000 samples; bench prog
|all
|main
|parse             |read              |write
|strtod       |    |poll              |
  poll: 40%, 400 samples
  strtod: 30%, 300 samples
  write: 20%, 200 samples
  parse: 40%, 400 samples, self 10%" "a terminal shows the frames in characters"

# A difference.
ok "the difference of two files is drawn" bench-plot flame --diff -o diff.svg old.csv new.csv
cat old.csv new.csv | bench-plot flame -g version -o by.svg
is "$(sed 's/old\.csv/old/g; s/new\.csv/new/g' diff.svg)" "$(cat by.svg)" \
	"two values of a column have the same difference as two files"
said=$(sed -n 's|.*<title>\(.*\)</title><rect.*|\1|p' diff.svg)
like "$said" '^poll: 40%, 400 samples; was 10%; more, p [0-9.]+e-[0-9]+$' "a frame whose share grew has the verdict more"
like "$said" '^write: 20%, 200 samples; was 20%; within noise, p 1$' \
	"a frame whose share did not change is within noise"
like "$said" '^log: 30%, 300 samples, only in old.csv; less, p ' "a frame that vanished is named"
is "$(sed -n 's|.*class="f gone"><title>\([^:,]*\)[:,].*|\1|p' diff.svg | tr '\n' ' ')" \
	'only in old.csv main log format ' "a frame that vanished is at the right, on the caller that lost it"
# fill NAME: the color of a frame in the comparison
fill() { sed -n "s|.*<title>$1: .*fill=\"\([^\"]*\)\".*|\1|p" diff.svg; }
is "$(fill write)" '#d2d2cf' "a frame that is noise is gray"
like "$(fill poll)" '^#f0' "a frame that grew is red"
like "$(bench-plot flame --diff --size 80x10 -F txt old.csv new.csv)" '^  poll: 40%.*more' \
	"the difference is drawn in characters"

# By R, with Holm's correction over the frames.
if skip_unless R "the p of a difference equals that of R"; then
	cat >p.R <<'E'
p <- function(a, b) fisher.test(matrix(c(a, 1000 - a, b, 1000 - b), 2))$p.value
raw <- c(main = 1, parse = p(400, 400), strtod = p(300, 300), write = p(200, 200),
	read = p(400, 100), poll = p(400, 100), log = p(0, 300), format = p(0, 300))
cat(sprintf("%.2g\n", p.adjust(raw, "holm")["poll"]))
E
	is "$(echo "$said" | sed -n 's/^poll.*p //p')" "$(Rscript --vanilla p.R)" \
		"the p of a difference equals that of R"
fi
# Counts above 2^53, in which one more is the same double.
sides() { printf 'metric,unit,stack,value\nsamples,1,a,%s\nsamples,1,b,%s\n' "$1" "$2"; }
sides 58000000000000000 50000000000000000 >huge_old.csv
sides 59000000000000000 51000000000000000 >huge_new.csv
like "$(timeout 10 bench-plot flame --diff -F txt huge_old.csv huge_new.csv)" '^  a: 53.6%.*; was 53.7%; less, p 0$' \
	"counts above 10^16 are tested, and within 10 s"
# Runs that differ among themselves more than the sides do: samples alone would be sure.
for side in old new; do
	awk -v side=$side 'BEGIN {
		print "run,version,stack,metric,unit,value"
		for (run = 1; run <= 3; run++) {
			a = 300 + 200 * ((run + (side == "new")) % 3) + (side == "new") * 40
			printf "%s%d,%s,main;a,samples,1,%d\n", side, run, side, a
			printf "%s%d,%s,main;b,samples,1,%d\n", side, run, side, 1000 - a
		}
	}'
done >runs.csv
like "$(bench-plot flame -g version -F svg -o - runs.csv)" \
	'a: .*; within noise' \
	"runs that differ among themselves hide a small difference"
like "$(sed 's/r[un]*,/&/; s/^\(old\|new\)[123],/\11,/' runs.csv | bench-plot flame -g version -F svg -o -)" \
	'<title>a: .*; more, p' "the same samples in one run show a small difference"
sed 's/,samples,1,/,heat,K,/' runs.csv >heat.csv
like "$(bench-plot flame -g version -F svg -o - heat.csv)" 'p [0-9.]' \
	"values that are no counts are tested over runs"
sed 's/,samples,1,/,heat,K,/' old.csv >old_heat.csv
sed 's/,samples,1,/,heat,K,/' new.csv >new_heat.csv
like "$(bench-plot flame --diff -F svg -o - old_heat.csv new_heat.csv)" 'differences are not tested' \
	"values that are no counts are not tested over one run, and the plot says so"

# Every format.
for format in png pdf html; do
	ok "a flame graph is drawn as $format" bench-plot flame -o "new.$format" new.csv
done
is "$(head -c 4 new.png | tail -c 3)$(head -c 4 new.pdf)" PNG%PDF "flame graphs are written as PNG and PDF"
like "$(cat new.html)" '^<svg .*class="flame"' "the HTML page contains the flame graph"
bench-plot flame --script -o new.gp -F png new.csv
ok "the script of a flame graph draws the same plot alone" sh -c 'gnuplot new.gp >alone.png && cmp alone.png new.png'

# Names.
{
	printf 'main;<script>alert(1)</script>;"quoted";`touch pwned`;@x;$(touch pwned);a\\b;'
	printf '\303\244;\001;]]>;EOD 5\n'
	echo 'EOD 3'
} >odd.folded
rows odd.folded >odd.csv
ok "a flame graph with hostile names is drawn" bench-plot flame -o odd.svg odd.csv
if skip_unless xmllint "a flame graph with hostile names is well-formed XML"; then
	ok "a flame graph with hostile names is well-formed XML" xmllint --noout odd.svg
	is "$(xmllint --xpath 'count(//*[local-name()="script"])' odd.svg)" 1 "hostile names add no script to a flame graph"
	path='//*[local-name()="title" and starts-with(., "<script>alert(1)</script>: 62.5%")]'
	is "$(xmllint --xpath "count($path)" odd.svg)" 1 "hostile names are shown unchanged in a flame graph"
fi
ok "gnuplot draws a flame graph with hostile names" bench-plot flame -o odd.png odd.csv
ok "hostile names of frames are not executed" test ! -e pwned
bench-plot flame -F txt odd.csv >odd.txt
unlike "$(cat odd.txt)" "$(printf '\001')" "no control character of a frame reaches a terminal"

# Trouble.
printf 'bench,metric,value\na,wall,1\n' >none.csv
status 2 "bench-plot flame rejects a stream without stacks" bench-plot flame -o none.svg none.csv
like "$(cat .err)" 'no row has a stack' "the message says that there are no stacks"
ok "bench-plot flame leaves no file if there is no plot" test ! -e none.svg
status 2 "bench-plot flame rejects a metric that no stack has" bench-plot flame -y cycles -o none.svg new.csv
like "$(cat .err)" "no metric matches 'cycles' .there are: samples." "the message names a metric that no stack has"
status 2 "bench-plot flame rejects a column of three values as sides" bench-plot flame -g stack new.csv
like "$(cat .err)" 'three values' "the message says that the column has three values"
status 2 "bench-plot flame rejects a column of one value as sides" bench-plot flame -g version new.csv
like "$(cat .err)" "has one value, 'new'" "the message names the only value of the column"
status 2 "bench-plot flame --diff rejects one file" bench-plot flame --diff new.csv
status 2 "bench-plot flame rejects -x" bench-plot flame -x n new.csv
status 2 "bench-plot box rejects --diff" bench-plot box --diff old.csv new.csv
sed 's/,400$/,-1/' new.csv >below.csv
status 2 "bench-plot flame rejects a value below 0" bench-plot flame below.csv
like "$(cat .err)" 'below.csv, line 5: samples of a stack is -1' "the message names the line of a value below 0"
# The table of functions
{
	echo run,bench,stack,metric,unit,value
	echo 'r,p,main;f;g;f,samples,1,30'
	echo 'r,p,main;f,samples,1,20'
	echo 'r,p,main;h,samples,1,50'
} >recursive.csv
is "$(bench-plot flame --functions recursive.csv)" "function,self_pct,total_pct,self,total,unit
f,50,50,50,50,1
h,50,50,50,50,1
main,0,100,0,100,1
g,0,30,0,30,1" "bench-plot flame --functions counts a stack once for a function that calls itself"
bench-plot flame --diff --functions old.csv new.csv >functions.csv
is "$(head -n 3 functions.csv | cut -d, -f1-6,8)" "function,self_old_pct,self_new_pct,difference,total_old_pct,total_new_pct,verdict
poll,10,40,30,10,40,more
format,30,0,-30,30,0,less" "bench-plot flame --diff --functions has significant differences first"
like "$(cat functions.csv)" '^write,20,20,0,20,20,1,within noise$' "a function whose share did not change is within noise"
awk 'BEGIN {
	print "run,side,stack,metric,unit,value"
	for (r = 1; r <= 4; r++) {
		print "o" r ",old,main;f,time,ns," 100 + r "\no" r ",old,main;g,time,ns,300"
		print "n" r ",new,main;f,time,ns," 200 + r "\nn" r ",new,main;g,time,ns,300"
	}
}' >times.csv
is "$(bench-plot flame --functions -g side times.csv | cut -d, -f1,8)" "function,verdict
g,less
f,more
main," "functions of several runs are compared by their shares in the runs"
is "$(bench-plot flame --functions -g side times.csv | sed -n 's/^f,//p' | cut -d, -f1-3)" 25.47,40.3,14.83 "the shares of functions are those of all runs"
status 2 "bench-plot --functions refuses other plots" bench-plot box --functions new.csv
status 2 "bench-plot --functions refuses a format" bench-plot flame --functions -F svg new.csv
# Deep, narrow stacks on a terminal
{
	echo run,bench,stack,metric,unit,value
	echo "r,p,main;work,samples,1,990"
	echo "r,p,main;read$(printf ';kernel_%s' 1 2 3 4 5 6 7 8 9),samples,1,10"
} >deep.csv
bench-plot flame -F txt --size 80 deep.csv >deep.txt
like "$(cat deep.txt)" '^\(9 deeper rows without room for names are left out\)$' "a flame graph on a terminal leaves out rows without names"
is "$(grep -c '^ *|*$' deep.txt)" 0 "each row of a flame graph on a terminal has a name"
done_testing
