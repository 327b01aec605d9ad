#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-compare --pair: pairs by the values of columns.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# inputs COUNT CHANGE: one sample of the programs old and new for each of COUNT files, whose times
# differ by factors of up to 1000; the new program takes CHANGE times as long, within 1%
inputs() {
	awk -v n="$1" -v change="$2" 'BEGIN {
		srand(5)
		print "prog,file,sample,metric,unit,value,status"
		for (i = 1; i <= n; i++) {
			time = 1e6 * exp(7 * rand())
			printf("old,f%d,0,wall,ns,%.0f,ok\n", i, time)
			printf("new,f%d,0,wall,ns,%.0f,ok\n", i, time * change * (0.99 + 0.02 * rand()))
		}
	}'
}

inputs 60 0.94 >inputs.csv
bench-compare -q -b prog -g metric inputs.csv >.out
is "$(column verdict .out)" unsure "differences between inputs hide without pairs that a program is faster"
status 2 "one sample of each input decides nothing" bench-compare -b prog inputs.csv
like "$(cat .err)" "bench-compare: --pair file would compare the sides in up to 60 pairs, one for each value" "pairs are suggested if each input has few samples"
grep -e ^prog -e ',f[1-5],' inputs.csv | bench-compare -b prog >.out 2>.err
unlike "$(cat .err)" "--pair" "pairs that would be too few are not suggested"
status 0 "a program that is faster for every input passes" bench-compare -q -b prog --pair file inputs.csv
is "$(columns n_old,n_new,basis,verdict .out)" 60,60,pair,better "--pair compares a value of each side for each input"
bench-compare -q -b prog --pair file -s test,unpaired_old,unpaired_new inputs.csv >.out
is "$(columns test,unpaired_old,unpaired_new .out)" signed-rank,0,0 "pairs by a column are tested by signed ranks"

# The sides of two files, whose columns and order differ.
grep -v ^new, inputs.csv >old.csv
grep -v ^old, inputs.csv | sed 's/^[a-z]*,//' >new.csv
sed -i s/^old/x/ old.csv
bench-compare -q --pair file -g metric old.csv new.csv >two.csv
bench-compare -q --pair file -g metric -b prog inputs.csv | cut -d, -f2- >one.csv
is "$(cat two.csv)" "$(cat one.csv)" "samples of two files are paired like those of one stream"

# Several columns, and samples side by side.
{
	echo side,round,size,metric,unit,value
	for r in 1 2 3 4; do for s in 10 2000; do
		echo "a,$r,$s,x,s,$((s * r))" && echo "b,$r,$s,x,s,$((s * r + s / 2 + r))"
	done; done
} >rounds.csv
bench-compare -q -b side --pair round rounds.csv >.out 2>/dev/null
is "$(columns size,n_new,basis .out | tr '\n' ' ')" "10,4,pair 2000,4,pair ,2,ratio " "columns that form no pairs still distinguish subjects"
bench-compare -q -b side --pair round,size rounds.csv >.out
is "$(columns n_new,basis,verdict .out)" 8,pair,worse "the values of two columns form a pair"

# Columns that follow from the side, and stacks that are missing.
{
	echo kind,bench,backend,device,n,metric,unit,value
	for n in 1 2 3 4 5 6 7; do
		echo "kernel,x,cpu,host,$n,wall,ns,${n}000" && echo "kernel,x,cuda,gpu0,$n,wall,ns,${n}50"
	done
} >backends.csv
bench-compare -q -b backend --pair n backends.csv >.out
is "$(columns n_new,verdict .out)" 7,better "a device that follows from the backend does not keep pairs apart"
{
	echo side,n,stack,sample,metric,unit,value
	for n in 1 2 3 4 5 6 7; do
		echo "a,$n,f;g,0,samples,1,5$n" && echo "b,$n,f;g,0,samples,1,5$n" && echo "a,$n,f;h,0,samples,1,2$n"
	done
} >stacks.csv
bench-compare -q -b side --pair n stacks.csv >.out
is "$(columns stack,n_old,n_new,verdict .out | tr '\n' ' ')" "f;g,7,7,same f;h,7,7,better " "a stack that is missing in a sample of a pair counts as zero"

# Samples of one pair on one side count once.
{
	cat inputs.csv
	sed -n 's/^old,f1,0,wall,ns,[0-9]*/old,f1,1,wall,ns,900000000000/p' inputs.csv
	sed -n 's/^old,f1,0,wall,ns,\([0-9]*\)/old,f1,2,wall,ns,\1/p' inputs.csv
} >repeated.csv
bench-compare -b prog --pair file repeated.csv >.out 2>.err
is "$(columns n_old,ratio .out)" "$(bench-compare -q -b prog --pair file inputs.csv | columns n_old,ratio -)" \
	"the samples of a pair on a side are reduced to their median"
like "$(cat .err)" "wall: 1 of 60 values of file has several samples on a side, which are reduced to one value" \
	"pairs with several samples on a side are reported"
# a process or run of a pair counts as one of its values
{
	echo side,n,run,sample,metric,unit,value
	for n in 1 2 3 4 5 6; do
		for s in 1 2 3 4 5; do echo "a,$n,r1,$s,x,s,1"; done
		echo "a,$n,r2,1,x,s,3" && echo "b,$n,r3,1,x,s,4"
	done
} >runs.csv
is "$(bench-compare -q -b side --pair n runs.csv | columns old,new,n_old -)" 2,4,6 "each run of a pair counts once for its median"

# Incomplete pairs.
grep -v -e '^new,f[79],' -e '^old,f12,' inputs.csv >gaps.csv
status 2 "a pair without a new sample cannot be decided" bench-compare -b prog --pair file gaps.csv
like "$(cat .err)" "cannot decide: prog=new: wall: 2 of 59 values of file have no successful sample in 'new': f7, f9 \(use --allow-missing" \
	"the pairs without a new sample are named"
like "$(cat .err)" "wall: 1 of 58 values of file has no successful sample in 'old': f12" "the pairs without an old sample are reported"
status 2 "--gate fails if a pair has no new sample" bench-compare --gate -b prog --pair file gaps.csv
like "$(cat .out)" "FAIL: 1 compared.*, 1 with incomplete pairs" "--gate counts the rows with incomplete pairs"
status 0 "--allow-missing accepts pairs without a new sample" bench-compare --allow-missing -b prog --pair file \
	-s n_old,n_new,unpaired_old,unpaired_new gaps.csv
is "$(columns n_old,n_new,unpaired_old,unpaired_new .out)" 57,57,2,1 "incomplete pairs are left out and counted"
like "$(cat .err)" "wall: 2 of 59 values of file have no successful sample in 'new': f7, f9$" "pairs that --allow-missing accepts are still reported"
grep -v -e '^new,f[2-5][0-9]*,' -e '^old,f[16-9][0-9]*,' inputs.csv >disjoint.csv
status 2 "sides without a common pair end with status 2" bench-compare -q --allow-missing -b prog --pair file disjoint.csv
like "$(cat .err)" "nothing could be compared: no value of file has successful samples on both sides; new has f1, .* more; old has f2, " \
	"sides without a common pair are named with their pairs"
sed 's/^\(new,f7,.*,\)[0-9]*,ok$/\1,failed/' inputs.csv >failed.csv
status 1 "a failed new sample of one pair fails" bench-compare -b prog --pair file failed.csv
like "$(cat .err)" "1 of 60 samples failed in 'new', 0 of 60 in 'old'" "the failed sample of a pair is counted"
like "$(cat .err)" "1 of 60 values of file has no successful sample in 'new': f7" "the pair of a failed sample is named"

# Timeouts. A pair of two timeouts has no difference, the least rank, and the score 0.
{
	echo side,file,sample,metric,unit,value,status
	i=0
	for change in 0.99 1.02 0.97 0.96 1.005 0.94 0.90 0.80; do
		i=$((i + 1))
		echo "$i $change" | awk '{ v = 3 ^ ($1 * 5 % 8) * 1e6; printf "a,f%d,0,wall,ns,%.0f,ok\nb,f%d,0,wall,ns,%.0f,ok\n", $1, v, $1, v * $2 }'
	done
	echo a,f9,0,wall,ns,100000000000,timeout && echo b,f9,0,wall,ns,100000000000,timeout
} >timeouts.csv
bench-compare -q -b side --pair file -s p,test,censored_old timeouts.csv >.out
is "$(columns p,test,censored_old .out)" 0.0625,signed-rank,1 "pairs with timeouts are compared by signed ranks"

# Equal values of all pairs are a result: a metric that can be the same in every run.
sed 's/^new,\(f[0-9]*\),.*/&/; s/wall,ns/faults,1/' inputs.csv | awk -F, -v OFS=, '
	$1 == "old" { value[$2] = $6 }
	$1 == "new" { $6 = value[$2] }
	{ print }' >equal.csv
grep -v ^new, equal.csv >equal_old.csv
grep -v ^old, equal.csv >equal_new.csv
for f in equal_old.csv equal_new.csv; do sed -i 's/^[a-z]*,//' $f; done
status 0 "pairs of equal values are the same" bench-compare -q --pair file equal_old.csv equal_new.csv
is "$(column verdict .out)" same "equal values of pairs are no copy of a file"

# The noise of A/A rows is that of pairs, not that between inputs.
awk 'BEGIN {
	srand(8)
	print "prog,aa,file,run,sample,metric,unit,value"
	for (i = 1; i <= 30; i++) for (p = 0; p < 2; p++) for (h = 0; h < 2; h++)
		printf("%s,%s,f%d,r,0,wall,ns,%.0f\n", p ? "new" : "old", h ? "b" : "a", i, 1e6 * 1.3 ^ i * (p ? 0.9 : 1) * (0.99 + 0.02 * rand()))
}' >aa.csv
bench-compare -q -b prog --pair file aa.csv >.out
is "$(columns n_new,verdict .out),$(column floor .out | awk '{ print($1 > 0 && $1 < 0.01) }')" 30,better,1 \
	"the noise floor of A/A rows compares the halves of each pair"

# Options.
status 2 "a column of pairs must be in the input" bench-compare -b prog --pair fiel inputs.csv
like "$(cat .err)" "the input has no column 'fiel'; did you mean file" "the unknown column of pairs is named"
for args in '-b prog --pair prog' '-b prog -g file --pair file'; do
	# shellcheck disable=SC2086
	status 2 "$args names a column twice, which is refused" bench-compare $args inputs.csv
	like "$(cat .err)" "--pair (prog|file): this column is also given to -[bg]" "the column that $args names twice is reported"
done
is "$(bench-compare --list-options pair inputs.csv | paste -sd,)" prog,file "the columns of the input complete --pair"
status 2 "a measured value cannot form pairs" bench-compare -b prog --pair value inputs.csv
status 2 "--pair does not apply to histories" bench-compare --history --pair file inputs.csv

# More pairs than are tested exactly, whose differences or ratios are at the limits of doubles.
# limit_pairs OLD NEW: 60 pairs of these values
limit_pairs() {
	awk -v old="$1" -v new="$2" 'BEGIN {
		print "side,n,metric,unit,value"
		for (i = 1; i <= 60; i++) printf "a,%d,m,1,%s\nb,%d,m,1,%s\n", i, old, i, new
	}'
}
# limit_contrast: the verdict and contrast of pairs on stdin
limit_contrast() {
	timeout 20 bench-compare -q -b side --pair n --metric m | columns verdict,ratio,diff,diff_lo,diff_hi -
}
is "$(limit_pairs 1e308 1e-308 | limit_contrast)" better,,-1e+308,-1e+308,-1e+308 \
	"60 pairs whose differences are nearly the largest numbers have an interval"
is "$(limit_pairs 1e300 1e-20 | limit_contrast)" better,,-1e+300,-1e+300,-1e+300 \
	"60 pairs whose ratios would lose digits are compared by differences"
{
	limit_pairs 1 1.7e308
	limit_pairs 1 -1.7e308 | sed 1d | awk -F, -v OFS=, '{ $2 += 60; print }'
} | limit_contrast >.out
like "$(cat .out)" "^[a-z]*,,.*[0-9]" "pairs whose differences are of both signs and the largest numbers have an interval"

if skip_unless R "signed ranks of pairs agree with R"; then
	cat >random.R <<'END'
set.seed(20261130)
text <- function(x) sprintf("%.17g", x)
writeLines("side,case,file,metric,value", "random.csv")
want <- NULL
for (k in 1:40) {
	n <- if (k > 35) sample(51:120, 1) else sample(6:49, 1)
	x <- rlnorm(n, 5, 2); y <- x * rlnorm(n, runif(1, -.1, .1), .05)
	if (k %% 4 == 0) { x <- rnorm(n); y <- x + rnorm(n, .2) }
	for (s in 0:1) write.table(data.frame(c("a", "b")[s + 1], paste0("c", k), seq_len(n), "m", text(if (s) y else x)),
		"random.csv", sep = ",", row.names = FALSE, col.names = FALSE, quote = FALSE, append = TRUE)
	ratio <- k %% 4 != 0; if (ratio) { x <- log(x); y <- log(y) }
	t <- wilcox.test(y, x, paired = TRUE, conf.int = TRUE, exact = n <= 50, correct = FALSE, digits.rank = Inf, tol.root = 1e-13)
	at <- c(median(outer(y - x, y - x, "+")[upper.tri(diag(n), TRUE)] / 2), t$conf.int)
	want <- rbind(want, c(n, t$p.value, if (ratio) exp(at) else at))
}
writeLines(apply(want, 1, function(x) paste(text(x), collapse = ",")), "random.want")
END
	Rscript --vanilla random.R 2>/dev/null
	bench-compare -q --no-geomean -b side --pair file random.csv 2>/dev/null >random.got
	columns n_new,p,ratio,ratio_lo,ratio_hi,diff,diff_lo,diff_hi random.got | sed 's/,,,*/,/g; s/,$//' | paste -d, - random.want >both
	awk -F, '{ for (i = 1; i <= 5; i++) { d = $i - $(i + 5); s = $(i + 5); if (d < 0) d = -d; if (s < 0) s = -s
			if (NF != 10 || d > 1e-10 * s) { print "# differs: " NR, i, $i, $(i + 5); bad = 1 } } }
		END { exit bad || NR != 40 }' both
	result $? "p, estimate and interval of signed ranks of 40 random sets of pairs agree with R to 1e-10"
fi

done_testing
