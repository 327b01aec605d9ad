#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the programs answer to mistyped options and names: one short line that names what was meant or
# what there is.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8

mkdir work && cd work || exit 1
cat >s.csv <<'END'
run,host,commit,kind,bench,level,process,sample,metric,unit,value,status
r,h,c,command,gzip,low,,1,wall,ns,100,ok
r,h,c,command,gzip,low,,1,max_rss,B,100,ok
r,h,c,command,zstd,low,,1,wall,ns,50,ok
r,h,c,command,zstd,low,,1,max_rss,B,100,ok
END
printf 'a,value\n1,2\n' >foreign.csv
printf 'name;time\na;1\n' >semicolons.csv
printf 'name\tmetric\tvalue\na\twall\t1\n' >tabs.csv
printf 'bench,metric,threshold,beter\n' >thresholds.csv
printf 'bench,metric,statistic,max\n*,wall,medain,1s\n' >budget.csv
ls -A >../files

# Each line of mistakes: a command, then a regular expression that its message must match.
mistakes() {
	cat <<'END'
bench-run --rnus 5 true|unknown option --rnus; did you mean --runs[?]
bench-run --c=5 true|ambiguous option --c: use --command, --cgroup, --confidence, .* or --
bench-run --export-json=a.json true|unknown option --export-json; .*bench-convert -t hyperfine
bench-run --export-asciidoc a.adoc true|unknown option --export-asciidoc; .*bench-convert -t asciidoc
bench-run --export-orgmode a.org true|unknown option --export-orgmode; .*bench-convert -t org
bench-run -N true|unknown option -N; commands run without a shell
bench-run -L n 1,2 true|unknown option -L; use -P NAME=
bench-run --shell=none true|option --shell takes no value; commands run without a shell
bench-run --quiet=yes true|option --quiet takes no value .see
bench-run -P n 1 3 true|-P: 'n' is not name=list, such as n=1,2,4 or n=1[.][.]8
bench-run --parameter-step-size 2 true|unknown option --parameter-step-size; use -P NAME=FIRST[.][.]LAST.STEP
bench-run --pre sync true|unknown option --pre; use --prepare CMD
bench-run --event cycles true|unknown option --event; use -e LIST
bench-run -M 10 true|-M .--model. '10' names what to measure, and cannot be combined with the command 'true' after the options
bench-run -c cleanup true|-c .--command. 'cleanup' names what to measure
bench-stat -col=level s.csv|unknown option -col; use -g COLUMNS
bench-compare -alpha 0.05 s.csv s.csv|unknown option -alpha; use -C PCT
bench-compare -delta-test=none s.csv s.csv|unknown option -delta-test; use --test rank
bench-compare --factor 1.1 s.csv s.csv|unknown option --factor; use --threshold PCT
bench-run -runs 5 true|unknown option -runs; did you mean --runs[?]
bench-run -csv true|unknown option -csv; did you mean --csv[?]
bench-run –runs 5 true|unknown option –runs; did you mean --runs[?]
bench-run -M gpt3|unknown model 'gpt3'; did you mean gpt2[?] .there are: bert-base-uncased, .* and [0-9]+ more
bench-run -k gmem|unknown kernel 'gmem'; did you mean gemm[?]
bench-stat -S median|unknown option -S; did you mean -s .--statistics.[?]
bench-stat --xyzzy|unknown option --xyzzy .see bench-stat --help
bench-compare --test welhc a b|--test: unknown value 'welhc'; did you mean welch[?] .there are: rank, welch.
bench-plot --log-x box|unknown option --log-x; use --log x
bench-compare --interval percentile a b|the interval is now that of the test
bench-compare --adjust hlom s.csv s.csv|--adjust: unknown value 'hlom'; did you mean holm[?] .there are: holm, bh, none.
bench-compare --unsure wran s.csv s.csv|--unsure: unknown value 'wran'; did you mean warn[?]
bench-compare -b bnech s.csv|no column 'bnech'; did you mean bench[?] .there are: run, .*bench, level, 
bench-compare -b bench --reference gzpi s.csv|--reference: no row has the bench 'gzpi'; did you mean gzip[?] .there are: gzip, zstd.
bench-compare -s pvalue s.csv s.csv|unknown column 'pvalue'; did you mean p[?]
bench-compare --metric wal s.csv s.csv|no metric matches 'wal'; did you mean wall[?] .there are: wall, max_rss.
bench-compare --thresholds thresholds.csv s.csv s.csv|thresholds.csv:1: unknown column 'beter'; did you mean better[?]
bench-stat -g benhc s.csv|no column 'benhc'; did you mean bench[?]
bench-stat -s stddev s.csv|unknown statistic 'stddev'; did you mean sd[?]
bench-stat -s median,avg s.csv|unknown statistic 'avg'; did you mean mean[?]
bench-stat -s p99_low s.csv|unknown statistic 'p99_low'; did you mean p99_lo[?]
bench-stat --sort meidan s.csv|the output has no column 'meidan'; did you mean median[?]
bench-stat --metric rss s.csv|no metric matches 'rss'; did you mean max_rss[?]
bench-stat --budget budget.csv s.csv|budget.csv:2: unknown statistic 'medain'; did you mean median[?]
bench-plot boxplot s.csv|unknown kind 'boxplot'; did you mean box[?] .there are: line, bar, 
bench-plot violin s.csv|unknown kind 'violin'; did you mean box, strip or hist[?]
bench-plot box -x benhc s.csv|-x: unknown column 'benhc'; did you mean bench[?] .there are: bench, 
bench-plot box --theme drak s.csv|--theme: unknown value 'drak'; did you mean dark[?] .there are: light, dark, auto.
bench-plot box -F sgv s.csv|--format: unknown value 'sgv'; did you mean svg[?]
bench-plot speedup s.csv|no column workers or threads, which a speedup needs: .*-J 1,2,4
bench-report --theme drak s.csv|--theme: unknown value 'drak'; did you mean dark[?] .there are: auto, light, dark.
bench-report -y wal -o page.html s.csv|no metric matches 'wal'; did you mean wall[?]
bench-store lits|unknown verb 'lits'; did you mean list[?] .there are: init, add, 
bench-stat -m vlaue foreign.csv|foreign.csv:1: -m: the header has no column 'vlaue'; did you mean value[?] .there are: a, value
bench-stat -m time semicolons.csv|semicolons.csv:1: the fields of the header are separated by semicolons .write the table with commas.
bench-compare tabs.csv s.csv|tabs.csv:1: the fields of the header are separated by tabs .write the table with commas.
bench-stat foreign.csv|foreign.csv:1: the header has no columns 'metric' and 'value' .convert the CSV of other programs with bench-convert, or .*with -m COLUMN
bench-run --energy-model tdp=65 --carbon Germany true|'Germany' is neither .* nor the code of a country, such as DE, in
bench-convert foreign.csv|foreign.csv: unknown format .*--list .*with -m
bench-plot s.csv box|'s.csv' is a file: name the kind of plot first, such as bench-plot box s.csv
bench-store tag|tag: an operand is missing; usage: tag name .filters. .run...
bench-store info extra|info: too many operands; usage: info
bench-run -r 5|nothing to measure: give a command, or use -c, -f, -k, -M, -I, --pid, -G or -a
bench-run -I s.csv|s.csv: not a table of subjects .*such as bench-list writes
bench-convert -t markdwon s.csv|cannot write the format 'markdwon'; did you mean markdown[?]
bench-convert -f hyprefine -o out.csv s.csv|cannot read the format 'hyprefine'; did you mean hyperfine[?]
bench-prof --by evnet true|--by: unknown value 'evnet'; did you mean event[?] .there are: samples, event.
bench-list evnts|no file and no verb is called 'evnts'; did you mean events[?] .there are: functions, 
bench-list kernels,modles|no file and no verb is called 'modles'; did you mean models[?]
bench-run --until decided --compare bench true|--compare bench: 'true' is the only subject; give another one
bench-compare -b metric s.csv|-b metric: this column cannot define sides; use one such as bench, commit,
bench-run -E chache true|unknown event set 'chache'; did you mean cache[?]
bench-run -e cylces true|event 'cylces': unknown to perf and libpfm4; did you mean .*cycles
bench-compare s.csv|s.csv is one file: give a second one to compare with, or compare .*: -b bench .gzip, zstd.
bench-run -r 1 --cpu 1023 true|--cpu: 1023 has processors that do not exist .*.there are: [0-9]
bench-run -O radnom true|--order: unknown value 'radnom'; did you mean random[?]
bench-run -b rfe -k gemm|unknown backend 'rfe'; did you mean ref[?] .there are: auto, 
bench-run -k gemm -P transpsoe=1 -b ref|-P: gemm has no parameter 'transpsoe'; did you mean transpose[?]
bench-run -k gemm -P dtype=flaot32 -b ref|-P dtype: unknown value 'flaot32'; did you mean float32[?]
END
}

mistakes | while IFS='|' read -r command words; do
	# shellcheck disable=SC2086
	timeout 30 $command </dev/null >../out 2>../err
	echo "$?|$(wc -l <../err)|$(wc -m <../err)|$(wc -c <../out)|$command|$words"
	cp ../err "../err.$((n = n + 1))"
done >../answers

n=0
while IFS='|' read -r got lines columns printed command words; do
	n=$((n + 1))
	message=$(cat "../err.$n")
	is "$got,$lines,$printed" 2,1,0 "'$command' prints one line on standard error, and exits with status 2"
	ok "the answer to '$command' is at most 220 columns wide" test "$columns" -le 221
	like "$message" "^${command%% *}: .*$words" "the answer to '$command' says what was meant"
done <../answers
# Each line of doubts: a command, then a regular expression that a line of its standard error must match.
printf 'bench,metric,threshold\n,wall,0.05\n,max_rss,0.1\n' >doubtful.csv
ls -A >../files
doubts() {
	cat <<'END'
bench-compare --threshold 0.05 -b bench s.csv|--threshold 0.05 means 0.05%; for 5% write 5%
bench-compare -C .95 -b bench s.csv|--confidence .95 means .95%; for 95% write 95%
bench-compare --thresholds doubtful.csv -b bench s.csv|doubtful.csv:2: a margin below 1 is below 1%; for 5% write 5 or 5%; 1 more line likewise
bench-plot box --log x s.csv|--log x has no effect on box: its numbers are on axis y
bench-plot ecdf --log y s.csv|--log y has no effect on ecdf: its numbers are on axis x
bench-plot heat --log x s.csv|--log has no effect on heat
bench-run -r 1 -e none -P n=1-2 -c 'echo {n}'|-P n: '1-2' is one value; for a range write 1..2
bench-run -r 1 -e none -P n=a..c -c 'echo {n}'|-P n: 'a..c' is one value; ranges are of numbers
END
}
doubts >../doubts
while IFS='|' read -r command words; do
	eval "timeout 30 $command" </dev/null >../out 2>../err
	like "$(cat ../err)" "^${command%% *}: $words" "'$command' is noted as doubtful"
	eval "timeout 30 ${command%% *} -q ${command#* }" </dev/null >../out 2>../err
	unlike "$(cat ../err)" "$words" "-q keeps '$command' from being noted"
done <../doubts
unlike "$(bench-compare --threshold 0.05% -b bench s.csv 2>&1)" 'means' "0.05% with its sign is not noted"
unlike "$(bench-plot box --log y s.csv 2>&1)" 'no effect' "an axis of numbers can be logarithmic"
if skip_unless script "programs say that they read from the terminal"; then
	for command in bench-stat 'bench-compare -b bench' bench-convert 'bench-plot box'; do
		script -qec "$command" /dev/null </dev/null >../out 2>&1
		like "$(cat ../out)" "^${command%% *}: reading from the terminal; end with Ctrl-D" \
			"'$command' says that it reads from the terminal"
	done
	unlike "$(script -qec 'bench-stat s.csv' /dev/null </dev/null)" 'reading from' "bench-stat of a file does not read from the terminal"
fi

is "$(ls -A)" "$(cat ../files)" "mistaken commands leave no files"
is "$(wc -l <../answers)" "$(mistakes | wc -l)" "each mistake of the table was made"
done_testing
