#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lines across places at which a measurement failed or is missing.
. "${0%/*}/../lib/tap.sh"

skip_unless gnuplot "plots with gaps" || done_testing

# sweep FAILED...: two benchmarks at n = 1, 2, 4, 8, with failed samples at each FAILED, "bench/n"
sweep() {
	awk -v failed=" $* " 'BEGIN { print "bench,n,sample,metric,unit,value,status"
		for (b = 1; b <= 2; b++) for (n = 1; n <= 8; n *= 2) for (s = 0; s < 6; s++) {
			bad = index(failed, " b" b "/" n " ")
			print "b" b "," n "," s ",wall,ns," (bad ? "" : 1e6 * n * b) "," (bad ? "failed:exit=1" : "ok") } }'
}
# block NAME: the rows of a block of a script, two columns of each; a blank line is "|"
block() { sed -n "/^[$]$1 /,/^EOD/p" | sed '1,2d; $d' | awk 'NF { print $1 "," $2; next } { print "|" }' | tr '\n' ' '; }

sweep b1/4 b2/8 >failed.csv
bench-plot line --log none --script failed.csv >failed.gp
is "$(block points <failed.gp)" '1,1 2,2 | 8,8 | | 1,2 2,4 4,8 | ' "a line is interrupted where all samples failed"
is "$(block intervals <failed.gp | sed 's/,[^ ]*//g')" '1 2 | 8 | | 1 2 4 | ' "a ribbon is interrupted where all samples failed"
# gaps: the elements of the array of places, and of that of the series
gaps() { sed -n -e 's/^gap\[.*\] = //p' -e 's/^gap_series\[.*\] = //p' | paste -sd, -; }
is "$(gaps <failed.gp)" '4,8,1,2' "each failed place is marked, even at the end of a line"
like "$(LC_ALL=C.UTF-8 bench-plot line -F txt failed.csv)" '× on the axis: no value' "the subtitle explains the mark"
like "$(LC_ALL=C bench-plot line -F txt failed.csv)" 'x on the axis: no value' "the mark is an x where only ASCII is shown"
like "$(bench-plot line -F svg failed.csv)" 'b1, n=4: no value' "the description of a plot names the places without a value"
sweep b1/4 b2/4 >both.csv
is "$(bench-plot line --log none --script both.csv | sed -n 's/^gap_at\[.\] = //p' | sort -u | wc -l)" 2 \
	"the marks of two series at one place do not cover each other"
sweep >fine.csv
unlike "$(bench-plot line -F txt fine.csv)" 'no value' "a plot without gaps does not mention them"

# a subject that could not be measured has one row, of wall
{
	sweep | sed 's/wall,ns/throughput,1\/s/; /^b1,4,/d'
	echo b1,4,,wall,ns,,skipped
} >skipped.csv
is "$(bench-plot line --log none -y throughput --script skipped.csv | block points)" \
	'1,1 2,2 | 8,8 | | 1,2 2,4 4,8 8,16 ' "a line of a rate is interrupted where the subject was skipped"
sweep | sed '/^b1,4,/d' >coarse.csv
is "$(bench-plot line --log none --script coarse.csv | block points)" \
	'1,1 2,2 8,8 | | 1,2 2,4 4,8 8,16 ' "a line is not interrupted where only another series was run"
sweep | awk -F, 'NR == 1 || $1 == "b1" && $2 != 4 { print $0 (NR == 1 ? ",flops" : "," $2 * 100) }
	END { print "b1,4,,wall,ns,,skipped,400" }' >derived.csv
is "$(bench-plot line -x n --log none --script derived.csv | block points)" '1,1 2,2 | 8,8 ' \
	"a column that follows from x does not hide a gap"

sweep b1/2 | sed 's/,n,/,workers,/' >workers.csv
is "$(bench-plot speedup --script workers.csv | block points)" '1,1 | 4,0.25 8,0.125 | | 1,1 2,0.5 4,0.25 8,0.125 ' \
	"a speedup is interrupted where all samples failed"
sweep b1/1 b1/2 b1/4 b1/8 >one.csv
is "$(bench-plot line -x n --log none --script one.csv | block points)" '1,2 2,4 4,8 8,16 ' \
	"a series without any value is not drawn"

awk 'BEGIN { print "bench,n,sample,metric,unit,value,status"
	for (n = 1; n <= 200; n++) print "b," n ",0,wall,ns," (n % 90 < 2 ? "" : n) "," (n % 90 < 2 ? "timeout" : "ok") }' |
	sed 's/^b,91,0,wall,ns,,timeout/b,91,0,wall,ns,91,ok/; s/^b,92,.*/b,92,0,wall,ns,,timeout/' >dense.csv
is "$(bench-plot line -x n --script dense.csv | sed -n '/^[$]points /,/^EOD/p' | awk 'NF == 10 { print $1 }')" 91 \
	"a point between two gaps is drawn also where points lie close"

# more values of n than there can be groups; all samples of b1 failed at three of them
awk 'BEGIN { print "bench,n,sample,metric,unit,value,status"
	for (n = 1; n <= 6000; n++) for (b = 1; b <= 2; b++) { bad = b == 1 && (n == 40 || n == 3000 || n == 5990)
		print "b" b "," n ",0,wall,ns," (bad ? ",failed:exit=1" : n ",ok")
		if (n == 50) print "b" b "," n ",1,wall,ns,,failed:exit=1" } }' >many.csv
bench-plot line --log none --script many.csv >many.gp
is "$(gaps <many.gp)" '40,3000,5990,1,1,1' "each failed place of a line of very many values is marked"
is "$(block points <many.gp | tr '|' '\n' | grep -c '[0-9]')" 5 "a line of very many values is interrupted at each failed place"

# a history of nine commits; all samples of commits 3 and 8, and one run of commit 5, failed
awk 'BEGIN { print "run,time,commit,bench,sample,metric,unit,value,status"
	for (c = 0; c < 9; c++) for (s = 0; s < 3; s++) { bad = c == 3 || c == 8
		print "r" c ",2026-01-0" c + 1 "T00:00:00Z,c" c ",x," s ",wall,ns," (bad ? ",failed:exit=1" : 1000 + c ",ok") }
	for (s = 0; s < 3; s++) print "again,2026-01-06T12:00:00Z,c5,x," s ",wall,ns,,failed:exit=1" }' >history.csv
is "$(bench-plot trend -x commit --script history.csv | block points | sed 's/,[^ ]*//g')" '0 1 2 | 4 5 6 7 | ' \
	"a history is interrupted at a commit whose samples all failed"
is "$(bench-plot trend -x commit --script history.csv | gaps)" '3,8,1,1' "the failed commits have a mark, including the newest one"
like "$(bench-plot trend -x commit -F txt --size 120x30 history.csv)" 'c3 .*c8' "the axis names the failed commits"
is "$(bench-plot trend -x time --script history.csv | block points | sed 's/[^ ]*,[^ ]*/./g')" '. . . | . . . . | ' \
	"a history over time is interrupted at a failed commit"
like "$(LC_ALL=C.UTF-8 bench-plot trend -F txt history.csv)" '× on the axis: all samples failed' "the subtitle of a history explains the mark"

# --order: the newest commit first, without c6.
printf 'c%d\n' 8 7 5 4 3 2 1 0 >order
is "$(bench-plot trend --order order --script history.csv | block points | sed 's/,[^ ]*//g')" '| 1 2 3 | 5 6 7 ' \
	"--order sets the places of commits and of gaps"
is "$(bench-plot trend --order order --script history.csv | block points | grep -o ',[0-9.]*' | paste -sd' ')" ',1.007 ,1.005 ,1.004 ,1.002 ,1.001 ,1' \
	"--order sorts the values of a history"
like "$(bench-plot trend --order order -F txt history.csv)" '1 value left out: not in the order of commits' "a trend counts the values of commits that --order lacks"
status 2 "--order is refused for a history over time" bench-plot trend --order order -x time history.csv
status 2 "--order is refused for other kinds" bench-plot line --order order history.csv
status 2 "an order that does not exist is refused" bench-plot trend --order nowhere history.csv
like "$(cat "$T/.err")" '^bench-plot: nowhere: No such file' "the order that does not exist is named"

done_testing
