#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Demonstrates the programs on real work: four compressors at two levels, a function, and a model.
# Usage: demo.sh BUILD
set -eu
build=$(cd "${1:-build}" && pwd)
root=$(cd "${0%/*}/.." && pwd)
PATH=$build/bin:$PATH
demo=$build/demo
file=/usr/bin/perl
rm -rf "$demo"
mkdir -p "$demo"
cd "$demo"

# show COMMAND: prints a command as a person would type it, and runs it
show() {
	printf '\n$ %s\n' "$1"
	status=0
	sh -c "$1" || status=$?
	# Status 1 is an answer: something is worse.
	[ "$status" -le 1 ]
}
# section TEXT: prints a line of text between commands
section() { printf '\n%s\n' "$1"; }

section "Measure four compressors at two levels on $file, in random order, ten times each:"
show "bench-run -q -r 10 -P level=1,6 -n gzip -n bzip2 -n xz -n zstd \\
    -c 'gzip -{level} -c $file' -c 'bzip2 -{level} -c $file' \\
    -c 'xz -{level} -c $file' -c 'zstd -{level} -c $file' >samples.csv"

section 'Summarize the samples:'
show "bench-stat --table -g bench,level --metric wall --metric max_rss \\
    -s n,median,ci_lo,ci_hi,p95 samples.csv"

section 'Compare the others with gzip:'
show "bench-compare -q --table -b bench --reference gzip --no-geomean \\
    -s old,new,ratio,ratio_lo,ratio_hi,p_adj,verdict samples.csv"

section 'Draw the times:'
show "bench-plot bar -x bench -g level -o wall.svg samples.csv"
bench-plot bar -F txt -x bench -g level samples.csv

section 'Keep the samples in a database:'
show 'bench-store -D bench.db add samples.csv'

section 'Measure a function of a shared object, qsort of 1000 numbers in four orders:'
show "bench-run -q -e none -t 0.1s -f basics.so:qsort -P n=1000 >qsort.csv
bench-stat --table -g bench,order --metric wall -s n,median,ci_lo,ci_hi qsort.csv"

section 'Measure a model on the best device of this machine:'
show "bench-run -q -e none -r 5 --processes 1 -M resnet50 -P batch=1,4 >model.csv
bench-stat --table -g bench,backend,batch --metric throughput -s n,median,min,max model.csv"

section 'Write one page with tables, plots and the facts of the machine:'
show '{ bench-env; cat samples.csv qsort.csv; } | bench-report -q -o report.html'

section 'Summary'
{ bench-compare -q --csv -b bench --reference gzip --metric wall --no-geomean \
	-s ratio,ratio_lo,ratio_hi,verdict samples.csv || true; } |
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			name = $at["bench"] " -" $at["level"]
			gzip = "gzip -" $at["level"]
			likely = $at["ratio_lo"] < 1 && $at["ratio_hi"] > 1 ? "probably " : ""
			times = sprintf("than %s: it takes %.2f times as long", gzip, $at["ratio"])
			if ($at["verdict"] == "better")
				how = "is " likely "faster " times
			else if ($at["verdict"] == "worse")
				how = "is " likely "slower " times
			else if ($at["verdict"] == "same")
				how = sprintf("takes as long as %s", gzip)
			else {
				printf "- %s: ten samples do not show whether it is faster than %s.\n", name, gzip
				next
			}
			printf "- %s %s (95%% interval %.2f to %.2f).\n", name, how, $at["ratio_lo"], $at["ratio_hi"]
		}'
bench-stat --csv -g order --metric wall -s median qsort.csv |
	awk -F, '
		NR > 1 && (!best || $NF < best) { best = $NF; fast = $1 }
		NR > 1 && $NF > worst { worst = $NF; slow = $1 }
		END {
			printf "- qsort of 1000 numbers takes %.1f µs if they are %s, ", best / 1000, fast
			printf "and %.1f µs if they are %s.\n", worst / 1000, slow
		}'
bench-stat --csv -g backend,batch --metric throughput -s median model.csv |
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			printf "- resnet50 processes %.1f images per second on the backend %s with a batch of %s.\n",
				$NF, $at["backend"], $at["batch"]
		}'

cat <<END

The page is $demo/report.html
The plot is $demo/wall.svg

To use the programs in this shell:

    export PATH="$build/bin:\$PATH"

or install them with "sudo make install". The programs are
$(cd "$build/bin" && echo bench-* | fold -s -w 74 | sed 's/^/    /; s/ *$//')

The manual begins with an overview: man $root/man/bench.7
and a tutorial: man $root/man/bench-tutorial.7
END
