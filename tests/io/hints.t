#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the programs answer to mistyped options and names: one short line that names what was meant or
# what there is.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8

mkdir work && cd work || exit 1
ls -A >../files

# Each line of mistakes: a command, then a regular expression that its message must match.
mistakes() {
	cat <<'END'
bench-run --rnus 5 true|unknown option --rnus; did you mean --runs[?]
bench-run --c=5 true|ambiguous option --c: use --command, --confidence, .* or --
bench-run --export-json=a.json true|unknown option --export-json; .*bench-convert -t hyperfine
bench-run -N true|unknown option -N; commands run without a shell
bench-run -L n 1,2 true|unknown option -L; use -P NAME=
bench-run -runs 5 true|unknown option -runs; did you mean --runs[?]
bench-run -csv true|unknown option -csv; did you mean --csv[?]
bench-run –runs 5 true|unknown option –runs; did you mean --runs[?]
bench-run -M gpt3|unknown model 'gpt3'; did you mean gpt2[?] .there are: bert-base-uncased, .* and [0-9]+ more
bench-run -k gmem|unknown kernel 'gmem'; did you mean gemm[?]
bench-stat -S median|unknown option -S; did you mean -s .--statistics.[?]
bench-stat --xyzzy|unknown option --xyzzy .see bench-stat --help
bench-compare --test welhc a b|--test: unknown value 'welhc'; did you mean welch[?] .there are: rank, welch.
bench-plot --log-x box|unknown option --log-x; use --log x
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
is "$(ls -A)" "$(cat ../files)" "mistaken commands leave no files"
is "$(wc -l <../answers)" "$(mistakes | wc -l)" "each mistake of the table was made"
done_testing
