#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-compare: agreement with R, verdicts, and the rows that are matched.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

header=run,host,bench,sample,metric,unit,value,status
table() { echo "$header" && cat; }

if skip_unless R "p, medians, estimates and effects of random data agree with R"; then
	{ cat "$ROOT/tests/lib/pair_ranks.R" && cat; } >random.R <<'END'
set.seed(20240608)
write <- function(file, run, case, x) write.table(data.frame(run, case, sample = seq_along(x) - 1,
	metric = "m", value = sprintf("%.17g", x)), file, sep = ",", row.names = FALSE,
	col.names = FALSE, quote = FALSE, append = TRUE)
for (f in c("old.csv", "new.csv")) writeLines("run,case,sample,metric,value", f)
writeLines("run,case,sample,metric,value,side", "pairs.csv")
sides <- pairs <- NULL
delta <- function(x, y) mean(sign(outer(y, x, "-")))
for (k in 1:30) {
	n <- sample(1:49, 1); m <- sample(1:49, 1)
	if (k > 24) { n <- sample(50:200, 1); m <- sample(50:200, 1) }
	x <- rlnorm(n, 5, .3); y <- rlnorm(m, 5 + runif(1, 0, .3), .3)
	if (k > 27) { n <- m <- 1000; x <- round(rlnorm(n, 3, .3)); y <- round(rlnorm(m, 3.02, .3)) }
	write("old.csv", paste0("o", k), paste0("c", k), x)
	write("new.csv", paste0("n", k), paste0("c", k), y)
	t <- wilcox.test(y, x, exact = n < 50 && m < 50, correct = TRUE)
	sides <- rbind(sides, data.frame(p = t$p.value, old = median(x), new = median(y),
		ratio = exp(median(log(outer(y, x, "/")))), effect = delta(x, y)))
	n <- if (k > 25) 400 else sample(1:49, 1)
	x <- rlnorm(n, 5, .3); y <- x * rlnorm(n, .05, .1)
	# with values below zero differences are ranked, here with ties and zeros
	if (k > 27) { x <- round(rnorm(n, 5, 4)); y <- x + round(rnorm(n, .2, 2)) }
	for (s in 0:1) write.table(data.frame("r", paste0("c", k), seq_len(n) - 1, "m",
		sprintf("%.17g", if (s) y else x), c("a", "b")[s + 1]), "pairs.csv", sep = ",",
		row.names = FALSE, col.names = FALSE, quote = FALSE, append = TRUE)
	t <- pair_ranks(y, x)
	pairs <- rbind(pairs, data.frame(p = t[1], old = median(x), new = median(y), ratio = t[2],
		effect = delta(x, y)))
}
for (w in c("sides", "pairs")) {
	writeLines(with(get(w), sprintf("%.17g %.17g %.17g %.17g %.17g %.17g", p,
		p.adjust(p, "holm"), old, new, ratio, effect)), paste0(w, ".want"))
}
END
	Rscript --vanilla random.R 2>/dev/null
	bench-compare -q --no-geomean old.csv new.csv >sides.got
	bench-compare -q --no-geomean -b side pairs.csv >pairs.got
	for w in sides pairs; do
		for c in p p_adj old new ratio diff effect; do column $c $w.got >$w.$c; done
		paste -d' ' $w.ratio $w.diff | tr -d ' ' >$w.estimate
		paste -d' ' $w.p $w.p_adj $w.old $w.new $w.estimate $w.effect $w.want >both
		awk '{ for (i = 1; i <= 6; i++) { d = $i - $(i + 6); s = $(i + 6); if (d < 0) d = -d
				if (s < 0) s = -s
				if ($i == "" || d > 1e-12 * s + (i == 6) * 1e-15) { print "# differs: " NR, i, $i, $(i + 6); bad = 1 } } }
			END { exit bad || NR != 30 }' both
		result $? "p, p_adj, medians, estimate and effect of 30 random $w agree with R to 1e-12"
	done
	is "$(column basis sides.got | sort -u)" sample "samples of different runs are compared as samples"
	is "$(column basis pairs.got | sort -u)" block "samples of one run are compared in blocks"
fi

# Verdicts and exit statuses.
samples r1 sort 1e7 0.01 20 1 | table >old.csv
samples r2 sort 1e7 0.01 20 2 | table >same.csv
samples r3 sort 1.1e7 0.01 20 3 | table >slow.csv
samples r4 sort 0.9e7 0.01 20 4 | table >fast.csv
samples r5 sort 1.03e7 0.2 6 5 | table >vague.csv
status 0 "equal speeds end with status 0" bench-compare old.csv same.csv
is "$(cat .err)" "" "equal speeds need no message"
is "$(column verdict .out)" same "equal speeds have the verdict same"
status 1 "a tenth slower ends with status 1" bench-compare old.csv slow.csv
is "$(column verdict .out)" worse "a tenth slower has the verdict worse"
like "$(cat .err)" 'each side is one run' "bench-compare reports that each side of a difference is one run"
status 0 "a tenth faster ends with status 0" bench-compare old.csv fast.csv
is "$(column verdict .out)" better "a tenth faster has the verdict better"
status 0 "an unsure row ends with status 0" bench-compare old.csv vague.csv
like "$(column verdict .out),$(column runs_needed .out)" '^unsure,[1-9]' "an unsure row says how many more values it needs"
status 0 "a change within a wider margin ends with status 0" bench-compare --threshold 20% old.csv slow.csv
is "$(column verdict .out)" same "a change within a wider margin has the verdict same"
is "$(head -n 1 .out)" "bench,metric,unit,n_old,n_new,old,new,ratio,ratio_lo,ratio_hi,p,p_adj,\
effect,verdict,runs_needed,diff,diff_lo,diff_hi,basis,margin,floor,level,primary" "the header of bench-compare has the columns of the page"
like "$(column effect .out)" '^(1|0\.9)' "the effect is positive when the new values are greater"
sed 's/wall,ns/throughput,1\/s/' old.csv >rate_old.csv
sed 's/wall,ns/throughput,1\/s/' slow.csv >rate_new.csv
status 0 "a higher rate ends with status 0" bench-compare rate_old.csv rate_new.csv
is "$(column verdict .out)" better "a higher rate has the verdict better"
sed 's/wall,ns/frequency,Hz/' old.csv >hz_old.csv
sed 's/wall,ns/frequency,Hz/' slow.csv >hz_new.csv
status 0 "a metric without a direction ends with status 0" bench-compare hz_old.csv hz_new.csv
is "$(column verdict .out)" differs "a metric without a direction has the verdict differs"
for n in 39 40; do
	{ samples r1 sort 1e7 0.01 $n 1; samples r2 sort 2e7 0.01 1 2; } | table >one.csv
	echo "$(bench-compare -q -b run one.csv | column p - | cut -c1-4)" "$(bench-compare -q -b run one.csv | column verdict -)"
done >one.got
is "$(paste -sd' ' one.got)" "0.05 unsure 0.04 worse" "p is below 0.05, not at it"
# The median falls while most values rise: the verdict is that of the test, as is the ratio.
for run in '' new; do
	awk -v run="$run" 'BEGIN {
		print "run,side,sample,metric,unit,value"
		for (i = 0; i < 100; i++) {
			print "r,old," i ",wall,ns," (i < 49 ? 10 : 100)
			print "r" run ",new," i ",wall,ns," (i < 51 ? 90 : 1000)
		}
	}' >median.csv
	bench-compare -q -b side median.csv >.out
	like "$(tail -n 1 .out)" ',100,90,9[.0-9]*,[89][.0-9]*,[0-9.]*,.*e-[0-9]*,0.4798,worse,,' \
		"most values rise while the median falls, which is worse, by $(column basis .out)"
	status 0 "most values fall while the median rises, which is better" bench-compare -q -b side --reference new median.csv
done
first=$(bench-compare -q old.csv vague.csv)
is "$(bench-compare -q old.csv vague.csv)" "$first" "the same input gives the same interval"
is "$(bench-compare -q --seed 2 old.csv vague.csv)" "$first" "the interval does not depend on the seed"
for n in 3 4; do samples r1 sort 1e7 0.01 $n 1 | table >few$n.csv; samples r2 sort 1e7 0.01 $n 2 | table >more$n.csv; done
is "$(bench-compare -q few3.csv more3.csv | column ratio_lo -)" "" "three values each have no interval"
like "$(bench-compare -q few4.csv more4.csv | column ratio_lo -)" . "four values each have an interval"

# A success rate.
for side in 'r1 old 20' 'r2 bad 9' 'r3 good 20'; do
	# shellcheck disable=SC2086
	set -- $side
	awk -v run="$1" -v good="$3" 'BEGIN { for (i = 0; i < 20; i++) print run ",h,sort," i ",ok,1," (i < good) ",ok" }' |
		table >"$2.ok.csv"
done
status 1 "fewer successes end with status 1" bench-compare old.ok.csv bad.ok.csv
is "$(column old .out),$(column new .out),$(column ratio .out)" 1,0.45,0.45 "successes are compared by their rate"
status 0 "successes alone on both sides end with status 0" bench-compare old.ok.csv good.ok.csv
is "$(column verdict .out)" same "successes alone on both sides have the verdict same"

# An old value of 0: no ratio, but a verdict.
sed 's/wall,ns,[0-9]*/major-faults,1,0/' old.csv >none_old.csv
sed 's/wall,ns,[0-9]*/major-faults,1,0/' same.csv >none_new.csv
is "$(bench-compare -q none_old.csv none_new.csv | column verdict -)" same "zeros on both sides are the same"
sed 's/wall,ns,[0-9]*/major-faults,1,7/' same.csv >some.csv
out=$(bench-compare -q none_old.csv some.csv)
is "$(echo "$out" | column ratio -),$(echo "$out" | column verdict -)" ,worse "something after nothing has no ratio, and is worse"
like "$(echo "$out" | column p -)" 'e-' "something after nothing has a p"

# Rows that cannot differ are not tests, so they do not increase the corrected p of other rows.
{ cat old.csv; tail -n +2 none_old.csv; } >both_old.csv
{ cat vague.csv; tail -n +2 none_new.csv; } >both_new.csv
out=$(bench-compare -q both_old.csv both_new.csv)
is "$(echo "$out" | column p_adj - | head -n 1)" "$(echo "$out" | column p - | head -n 1)" \
	"a row of equal values leaves the other p alone"
{ tail -n +2 old.csv | sed s/sort/twin/ | cat old.csv -; } >twin_old.csv
{ tail -n +2 vague.csv | sed s/sort/twin/ | cat vague.csv -; } >twin_new.csv
out=$(bench-compare -q twin_old.csv twin_new.csv)
is "$(echo "$out" | column p_adj - | head -n 1)" \
	"$(echo "$out" | column p - | head -n 1 | awk '{ print(2 * $1 > 1 ? 1 : 2 * $1) }')" \
	"a second benchmark doubles the corrected p"

# One stream, sides by a column.
{
	samples r sort 1e7 0.01 20 1
	samples r find 1.1e7 0.01 20 2
	samples r grep 1e7 0.01 20 3
} | table >three.csv
status 1 "-b takes the first value as the reference" bench-compare -b bench three.csv
is "$(cut -d, -f1 .out | tr '\n' ' ')" "bench find grep " "-b prints a row for each value except the reference"
is "$(column basis .out | sort -u)" block "-b pairs the values of the same run"
like "$(cat .err)" "old is bench 'sort'" "the reference of -b is named"
status 0 "--reference chooses the reference of -b" bench-compare -q -b bench --reference find three.csv
is "$(column verdict .out | tr '\n' ' ')" "better better " "all other sides are better than the slowest reference"
is "$(cat .err)" "" "-q prints no message"
status 1 "bench-compare reads standard input" sh -c 'bench-compare -q -b bench <three.csv'
status 2 "an unknown reference ends with status 2" bench-compare -b bench --reference sed three.csv
like "$(cat .err)" "--reference: no row has the bench 'sed'" "the unknown reference is named"
status 2 "an unknown column of -b ends with status 2" bench-compare -b color three.csv
status 2 "a column with one value compares nothing" bench-compare -b host three.csv
status 2 "the metric as the column of sides ends with status 2" bench-compare -b metric three.csv

# Runs.
for side in 'o 1e7' 'n 1.1e7'; do
	# shellcheck disable=SC2086
	set -- $side
	for i in 1 2 3 4 5 6 7; do samples "$1$i" sort "$2" 0.01 5 "$i"; done | table >"runs_$1.csv"
done
status 1 "several slower runs on each side end with status 1" bench-compare runs_o.csv runs_n.csv
is "$(column n_old .out),$(column n_new .out),$(column basis .out)" 7,7,run "several runs on each side are compared by their medians"
# tables SIDE MORE: six tables of three samples, without the column run
tables() { for t in 1 2 3 4 5 6; do echo side,bench,sample,metric,unit,value; for s in 1 2 3; do echo "$1,x,$s,wall,ns,$((100 + 7 * t + s + $2))"; done; done; }
{ tables old 0 && tables new 100; } | bench-compare -q -b side --csv --no-geomean >.out
is "$(columns n_old,n_new,basis .out)" 6,6,run "each table without the column run is one run"

# Processes of one run, and pairs of processes if both sides are of the same run.
for side in 'old 1e7' 'new 1.1e7'; do
	# shellcheck disable=SC2086
	set -- $side
	for process in 0 1 2 3 4; do
		samples r "$1" "$2" 0.01 4 $process | awk -v process=$process -v run="$1" -F, -v OFS=, '
			{ print run, $3, process, $4, $5, $6, $7 }'
	done
done >processes
sed s/^[a-z]*/r/ processes >shared
for f in processes shared; do sed -i 1irun,bench,process,sample,metric,unit,value $f; done
bench-compare -q -b bench processes >.out
is "$(column n_old .out),$(column n_new .out),$(column basis .out)" 5,5,process "a process counts as one value"
like "$(bench-compare -b bench processes 2>&1)" 'each side is one run' "bench-compare reports that each side of a difference of processes is one run"
bench-compare -q -b bench shared >.out
is "$(column n_old .out),$(column n_new .out),$(column basis .out)" 5,5,process-pair "processes of the same run are compared in pairs"
is "$(column p .out)" 0.0625 "five pairs that all rise have p = 2 / 2^5"
for i in 1 2 3; do sed "1d; s/^r/r$i/" shared; done | sed 1irun,bench,process,sample,metric,unit,value >thrice
bench-compare -q -b bench thrice >.out
is "$(column n_old .out),$(column basis .out),$(column verdict .out)" 3,run-pair,unsure "three runs of both sides are three pairs"

# Other tests, intervals and columns.
is "$(bench-compare -q --no-geomean -s verdict,a12,test,shift old.csv slow.csv | sed 's/[0-9]\{6\}[.0-9]*$/NNNNNN/')" \
	"bench,metric,unit,verdict,a12,test,shift
sort,wall,ns,worse,1,rank,NNNNNN" "-s selects columns"
bench-compare -q --test welch -s p,test old.csv slow.csv >.out
like "$(tail -n 1 .out)" 'e-[0-9]+,welch$' "--test selects the test"
status 2 "an unknown test is refused" bench-compare --test vague old.csv same.csv
like "$(cat .err)" "unknown value 'vague' .there are: rank, welch" "the refusal of an unknown test lists the known ones"
status 2 "the removed option --interval is refused" bench-compare --interval percentile old.csv same.csv
like "$(cat .err)" "the interval is now that of the test" "the refusal of --interval says where the interval comes from"
status 2 "an unknown column of -s is refused" bench-compare -s ratio,vague old.csv same.csv
status 2 "the removed option --resamples is refused" bench-compare --resamples=1000 old.csv same.csv

# Rows without a counterpart.
{ samples r1 sort 1e7 0.01 20 1; samples r1 find 1e7 0.01 20 1; } | table >two.csv
status 2 "a benchmark that vanished ends with status 2" bench-compare two.csv same.csv
like "$(cat .err)" "bench=find: no successful sample in 'same.csv'" "the benchmark that vanished is named"
is "$(wc -l <.out)" 3 "other benchmarks are compared when one vanished"
status 0 "--allow-missing ends with status 0 when a benchmark vanished" bench-compare --allow-missing two.csv same.csv
status 125 "--bisect skips a commit without the benchmark" bench-compare --bisect two.csv same.csv
status 1 "--bisect leaves a regression as it is" bench-compare --bisect old.csv slow.csv
status 125 "--bisect skips what cannot be read" bench-compare --bisect old.csv nowhere.csv
status 125 "--bisect skips a commit when an option before it is wrong" bench-compare --color --bisect old.csv same.csv
sed 's/,ok$/,failed:exit=1/' same.csv >failed.csv
status 1 "a benchmark whose samples all fail on the new side ends with status 1" bench-compare old.csv failed.csv
{ cat failed.csv; sed -n 's/wall,ns,[0-9]*,.*/ok,1,0,ok/p' failed.csv | head -n 3; } >failed.ok.csv
{ head -n 4 old.csv; sed -n 's/wall,ns,[0-9]*,/ok,1,1,/p' old.csv | head -n 3; } >three.ok.csv
status 1 "failed samples end with status 1 although they have the metric ok" bench-compare three.ok.csv failed.ok.csv
like "$(cat .err)" "failing: bench=sort: 20 of 20 samples failed in 'failed.ok.csv', 0 of 3 in 'three.ok.csv'" "the file whose samples all failed is named"
{ samples r sort 1e7 0.01 8 1 && samples r find 1e7 0.01 8 2 | sed 's/,ok$/,failed/'; } | table | sed 's/$/,command/; 1s/command/kind/' >side.csv
status 1 "a side of -b whose samples all fail ends with status 1" bench-compare -b bench side.csv
like "$(cat .err)" "failing: kind=command bench=find: 8 of 8 samples failed in 'find', 0 of 8 in 'sort'" "the subject that fails is named with its side of -b"
status 2 "failures on both sides compare nothing" bench-compare failed.ok.csv failed.ok.csv
sed 's/sort/find/' same.csv >other.csv
status 2 "streams with nothing in common end with status 2" bench-compare old.csv other.csv
is "$(cat .err)" "bench-compare: nothing could be compared: no subject and metric has successful samples on both sides; old.csv has 'sort'; other.csv has 'find'; the sides have different values of bench (give equal subjects equal names, or compare the values with -b bench; use --allow-missing to accept this)" \
	"streams with nothing in common are reported in one line, with their names and what to do"
status 2 "a table of streams with nothing in common ends with status 2" bench-compare --table old.csv other.csv
is "$(cat .out),$(wc -l <.err)" ',1' "a table of streams with nothing in common has no rows, and one line says why"
status 2 "all rows are printed with -v if nothing is in common" bench-compare -v --table old.csv other.csv
like "$(cat .out)" '^find +wall .* unsure' "a table of all rows has those of one side"
{
	echo bench,backend,device,engine,dtype,sample,metric,unit,value
	for i in 1 2 3 4 5 6 7 8; do echo "net,cpu,A,,f32,$i,wall,ns,10$i
net,x,A,x1,f32,$i,wall,ns,20$i
net,y,B,y1,f32,$i,wall,ns,20$i"; done
} >engines.csv
status 0 "backends with their own devices and engines are compared" bench-compare -b backend --threshold 500 engines.csv
is "$(sed 's/,\(101\|20[1-8]\).*//' .out | cut -d, -f1-6)" "bench,backend,dtype,metric,unit,n_old
net,x,f32,wall,ns,8
net,y,f32,wall,ns,8" "the columns that follow from the backend are not part of the subject"
is "$(cat .err)" "bench-compare: old is backend 'cpu'
bench-compare: device and engine follow from the backend, so rows are matched without them (-g selects the columns that must be equal)" \
	"the columns that follow from the backend are reported"
sed 's/,y,B,\(.*\),f32,\(.*\)/,y,B,\1,f16,\2/' engines.csv >types.csv
like "$(bench-compare -b backend types.csv 2>&1)" "vanished: bench=net backend=y dtype=f32: no successful sample in 'y'" \
	"backends that compute in different types are not compared"
sed 's/^bench/&,level/; s/,x,/,o2&/; t; s/^net/&,/' engines.csv >options.csv
like "$(bench-compare --threshold 500 -b backend options.csv 2>&1)" 'level, device and engine follow from' \
	"an option that only one engine has follows from the backend"
sed 's/,x1,/,x0,/' engines.csv >earlier.csv
like "$(bench-compare --threshold 500 --floor earlier.csv -b backend engines.csv 2>&1)" 'device and engine follow from' \
	"an earlier version of an engine in a file of --floor is no other value on its side"
{ cat engines.csv; sed -n 's/,x,A,x1,\(.*\),20/,x,C,x1,\1,30/p' engines.csv; } >devices.csv
like "$(bench-compare --allow-missing --threshold 500 -b backend devices.csv 2>&1)" "engine follows from the backend" \
	"a column with two values on a side stays part of the subject"
status 2 "sides that are no backends must be equal in all columns" bench-compare -b engine -g bench,device,backend engines.csv
sed 's/^bench,backend/backend,bench/' engines.csv >sides.csv
status 2 "benchmarks on different devices compare nothing" bench-compare --allow-missing -b bench sides.csv
like "$(cat .err)" 'the sides have different values of engine \(' "only factors without a common value are named"

# Names that the shell would split or expand.
sides_differ() {
	echo 'bench,"the ""size"" $(x)",x,y,sample,metric,unit,value'
	for i in 1 2 3 4 5 6 7 8; do echo "sort,big,$1,$1,$i,wall,ns,100$i"; done
}
sides_differ 1 >blanks_old.csv
sides_differ 2 >blanks_new.csv
bench-compare --threshold 500 blanks_old.csv blanks_new.csv 2>&1 |
	sed -n 's/.*for example \(-g .*\); use --allow.*/bench-compare --threshold 500 \1 blanks_old.csv blanks_new.csv/p' >again
status 0 "a suggested -g can be pasted into a shell" sh again
is "$(cut -d ' ' -f 4-7 again)" "-g 'bench,the \"size\" \$(x),metric'" "a suggested list of columns is quoted if the shell would split it"
sed 's/,backend/,the engine/' engines.csv >blanks.csv
like "$(bench-compare blanks.csv 2>&1)" "-b 'the engine' \(cpu, x, y\)" "a suggested -b is quoted"
status 0 "backends that differ in another factor are compared by -g" bench-compare -b backend -g bench --metric wall --threshold 500 engines.csv
head -n 1 old.csv >empty.csv
status 2 "a stream without samples compares nothing" bench-compare empty.csv old.csv
like "$(cat .err)" "on both sides; there are none in 'empty.csv'$" "a stream without samples is named"
samples r2 sort 1e7 0.01 20 2 elsewhere | table >elsewhere.csv
status 0 "streams of different hosts are compared" bench-compare old.csv elsewhere.csv
like "$(cat .err)" 'host differs between the sides \(h and elsewhere\), so' "different hosts of the sides are reported"
# Each of two hosts became 25% slower, but they differ by a factor of 3.
for side in 100 125; do
	awk -v level=$side 'BEGIN {
		print "host,run,bench,n,metric,unit,value"
		for (i = 0; i < 5; i++)
			for (h = 1; h <= 3; h += 2)
				printf "h%d,%d-%d-%d,b,5,wall,ns,%d\n", h, level, h, i, h * level * 100 + i
	}' >hosts$side.csv
done
bench-compare hosts100.csv hosts125.csv >.out 2>.err
is "$(column verdict - <.out)" unsure "a change that each host shows is unsure if hosts that differ are compared together"
like "$(cat .err)" '^bench-compare: the values of 2 hosts are compared together, .* use -g bench,host to compare each host with itself$' \
	"values of several hosts that are compared together are reported"
bench-compare --no-geomean -g bench,host hosts100.csv hosts125.csv >.out 2>.err
is "$(column verdict - <.out | tr '\n' ' ')" 'worse worse ' "-g with host compares each host with itself"
unlike "$(cat .err)" 'hosts are compared together' "hosts that are kept apart are not reported"
unlike "$(bench-compare -b host hosts100.csv 2>&1)" 'hosts are compared together' "hosts that are compared are not reported"
is "$(bench-compare -q -g host two.csv three.csv 2>&1 | head -n 1 | cut -d, -f1-3)" host,metric,unit \
	"-g joins rows by other columns"
is "$(bench-compare -q -m a:ns -b side <<END | column ratio -
side,a
x,10
y,20
END
)" 2 "-m melts foreign columns"

# Profiles: a stack that a run lacks was counted 0 times in it.
cat >stacks.csv <<'END'
run,bench,side,comm,stack,sample,metric,unit,value
r1,b,old,p,main;a,0,samples,1,100
r1,b,old,p,main;gone,0,samples,1,50
r2,b,old,p,main;a,0,samples,1,110
r3,b,old,p,main;a,0,samples,1,105
r3,b,old,p,main;gone,0,samples,1,60
r4,b,new,p,main;a,0,samples,1,90
r4,b,new,q,main;fresh,0,samples,1,30
r5,b,new,p,main;a,0,samples,1,91
END
bench-compare -q -b side stacks.csv >.out 2>.err
unlike "$(cat .err)" 'no successful sample|no value' "a stack that is gone does not count as vanished"
is "$(for c in stack n_old n_new old new; do column $c .out | paste -sd' '; done)" "main;a main;gone main;fresh
3 3 3
2 2 2
105 50 0
90.5 0 15" "a stack that is gone was counted 0 times"
{ cat stacks.csv; sed -n 's/,[^,]*,[^,]*,\([0-9]*\),samples,1,.*/,,,\1,lost_samples,1,0/p' stacks.csv | sort -u; } >kept.csv
unlike "$(bench-compare -b side kept.csv 2>&1)" 'too low' "profiles that lost no samples have no note"
awk -F, -v OFS=, '$7 == "lost_samples" && $3 == side { $9 = 3; side = "-" } { if (NR == 2) side = $3 } 1' kept.csv >lost.csv
like "$(bench-compare -b side lost.csv 2>&1 >/dev/null)" \
	"the values of the stacks of '$(sed -n '2s/[^,]*,[^,]*,\([^,]*\).*/\1/p' lost.csv)' are too low, because bench-prof lost samples \(lost_samples 3\)" \
	"samples that a profiler lost are reported with their side"
sed 's/,samples,1,/,wall,ns,/' stacks.csv >walls.csv
status 2 "a metric that is no count is not 0 where a stack is missing" bench-compare -q -b side walls.csv

status 2 "one file without -b is refused" bench-compare old.csv
status 2 "three files without -b are refused" bench-compare old.csv same.csv slow.csv
status 2 "--reference without -b is refused" bench-compare --reference x old.csv same.csv
status 2 "a confidence of 100% is refused" bench-compare -C 100% old.csv same.csv
status 2 "a threshold below zero is refused" bench-compare --threshold=-1% old.csv same.csv
status 2 "a full disk ends with status 2" sh -c 'bench-compare old.csv slow.csv >/dev/full'
like "$(cat .err)" '^bench-compare: standard output: No space left on device$' "a full disk is reported once"

# Equal sides, many times: few have a small p, and hardly any after correction.
for i in $(seq 40); do samples a "b$i" 1e7 0.03 15 "$i"; done | table >aa_old.csv
for i in $(seq 40); do samples b "b$i" 1e7 0.03 15 $((i + 1000)); done | table >aa_new.csv
status 0 "none of forty equal benchmarks is worse" bench-compare -q aa_old.csv aa_new.csv
is "$(column verdict .out | grep -c better)" 0 "none of forty equal benchmarks is better"
low=$(column p .out | awk '$1 < 0.05' | wc -l)
result $((low > 6)) "few of forty equal benchmarks have a p below 0.05 ($low)"

one=$(taskset -c "$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')" bench-compare -q aa_old.csv aa_new.csv)
is "$(bench-compare -q aa_old.csv aa_new.csv)" "$one" "bench-compare gives the same intervals on one processor and on all"

# Values of 0, and rows without a ratio.
head=run,bench,sample,metric,unit,value
zeros() { echo "$head"; for i in 0 1 2 3 4 5 6 7; do echo "$1,x,$i,allocs,1,$(($2 * (i + 5)))"; done; }
zeros r 0 >none.csv
zeros s 1 >some.csv
zeros t -3 >negative.csv
status 1 "from 0 to some is worse" bench-compare -q none.csv some.csv
is "$(column ratio .out),$(column verdict .out)" ,worse "a change from 0 to some has no ratio"
status 0 "from some to 0 is better" bench-compare -q some.csv none.csv
is "$(column ratio .out),$(column verdict .out)" ,better "a change from some to 0 has no ratio"
is "$(bench-compare -q negative.csv some.csv | column verdict /dev/stdin)" worse "a change from below 0 to above it is worse"
is "$(bench-compare -q --gate none.csv some.csv)" "worse: x: allocs 0 -> 8.5, +8.5 [+6, +11], margin 2%
FAIL: 1 compared: 1 worse, 0 warnings, 0 unsure, 0 better, 0 same" "--gate prints the difference of a row without a ratio"
sed 's/,[0-9]*$/,1e-300/' some.csv >tiny.csv
sed 's/,[0-9]*$/,1e300/; s/^s/u/' some.csv >huge.csv
for format in --csv --json --gate --markdown; do
	unlike "$(bench-compare -q $format tiny.csv huge.csv)" 'inf|nan' "a ratio that no number holds is not shown as inf or nan ($format)"
done

# Duplicate rows, and the order of files.
{ cat old.csv; tail -n +2 old.csv; } >twice.csv
is "$(bench-compare -q twice.csv slow.csv)" "$(bench-compare -q old.csv slow.csv)" "duplicate rows count once"
bench-compare twice.csv slow.csv 2>.err >/dev/null
like "$(cat .err)" "^bench-compare: $(($(wc -l <old.csv) - 1)) duplicate rows ignored" "duplicate rows are reported"
runs() { for r in $2; do awk -v r="$1$r" -v k="$r" 'BEGIN { for (i = 0; i < 5; i++)
	printf "%s,x,%d,wall,ns,%d\n", r, i, 1e6 + 4e3 * (k * 7 % 10) + 1e3 * (i * 3 % 5) }'; done; }
{ echo "$head"; runs a '1 2 3 4 5 6 7'; } >up.csv
{ echo "$head"; runs a '7 3 5 1 2 6 4'; } >mixed.csv
{ echo "$head"; runs b '1 2 3 4 5 6 7 8'; } >other.csv
is "$(bench-compare -q mixed.csv other.csv)" "$(bench-compare -q up.csv other.csv)" "the order of runs in a file does not matter"

# A metric in other units.
sed 's/,ns,/,us,/' other.csv >us.csv
{ cat up.csv; zeros r 1 | tail -n +2; } >two.csv
{ cat us.csv; zeros r 1 | sed 's/,5$/,5.01/' | tail -n +2; } >two_us.csv
status 2 "a metric in another unit on one side ends with status 2" bench-compare two.csv two_us.csv
like "$(cat .err)" "x: wall: not compared, because the unit is 'ns' on the old side and 'us' on the new side" "a metric in another unit on one side is reported"
is "$(bench-compare -q --gate --allow-missing two.csv two_us.csv 2>/dev/null | tail -n 1)" \
	"FAIL: 1 compared: 0 worse, 0 warnings, 0 unsure, 0 better, 1 same, 2 on one side only, 1 with different units" \
	"--gate counts a metric in another unit on one side, even with --allow-missing"

# The least number of values for an interval.
head -n 5 some.csv >four.csv
sed 's/^s/v/' four.csv >four_more.csv
like "$(bench-compare -q four.csv four_more.csv | column ratio_lo /dev/stdin)" . "four values have an interval of 95%"
is "$(bench-compare -q -C 99% four.csv four_more.csv | column ratio_lo /dev/stdin)" "" "four values have no interval of 99%"
is "$(bench-compare -q -C 99% four.csv four_more.csv | column runs_needed /dev/stdin)" 1 "four values need one more value for an interval of 99%"
head -n 6 some.csv >five.csv
sed 's/^s/v/' five.csv >five_more.csv
like "$(bench-compare -q -C 99% five.csv five_more.csv | column ratio_lo /dev/stdin)" . "five values have an interval of 99%"

# Names that could drive a terminal.
esc=$(printf '\033')
sed "s/sort/${esc}sort/" old.csv >esc_old.csv
sed "s/sort/${esc}sort/" same.csv >esc_new.csv
unlike "$(bench-compare -q --table esc_old.csv esc_new.csv)" "$esc" "a table strips escapes from names"
bench-compare esc_old.csv same.csv >/dev/null 2>.err
like "$(cat .err)" "esc_old.csv has '.*sort'; same.csv has 'sort'" "a name with escapes that only one side has is reported"
unlike "$(cat .err)" "$esc" "a message strips escapes from names"
half=$(printf '\355\240\200')
sed "s/sort/$half/" old.csv >half.csv
like "$(bench-compare -q --json half.csv half.csv)" '"bench": "..xed..xa0..x80"' "half a surrogate pair is no character in JSON"

# Rows without the column of -b.
awk 'BEGIN { print "bench,n,sample,metric,unit,value"
	for (i = 0; i < 8; i++) for (n = 0; n < 3; n++) print (n ? "sort" : "plain") "," (n ? n : "") "," i ",wall,ns," 1000 + i }' >lacks.csv
(head -n 1 lacks.csv && sed 1d lacks.csv | sort -r) >lacks_last.csv
for file in lacks lacks_last; do
	status 2 "rows of $file.csv without the column of -b are refused" bench-compare -b n --threshold 500 $file.csv
	is "$(cat .out .err)" "bench-compare: -b n: the rows of bench=plain have no n, so they are on no side (leave them out with --filter 'n!=', or make them the old side with --reference '')" \
		"the subject of $file.csv that lacks the column of -b is named"
	status 0 "rows of $file.csv without the column of -b can be left out" bench-compare -b n --threshold 500 --filter 'n!=' $file.csv
done
status 2 "rows without the column of -b are a side on request" bench-compare -b n --threshold 500 --reference '' lacks.csv
like "$(cat .err)" "old is n ''" "a requested side without a name is named"
sed 's/$/,1/; 1s/,1$/,level/' lacks.csv >level.csv
is "$(bench-compare -b level level.csv 2>&1)" "bench-compare: all rows have the same 'level', so there is nothing to compare; compare the values of another column, such as -b bench" \
	"a column that distinguishes sides is suggested instead of one that does not"
sed 's/^plain/sort/' lacks.csv >empty_value.csv
status 0 "an empty value of a parameter is a side" bench-compare -b n --threshold 500 empty_value.csv
done_testing
