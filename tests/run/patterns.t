#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Patterns of kernels and models, which select the same in bench-list and bench-run.
. "${0%/*}/../lib/tap.sh"

run() { timeout 100 bench-run -q -e none -w 0 -r 1 --processes 1 --sample-time 1us -b ref "$@"; }
# benches: the column bench of the rows of wall on standard input
benches() { awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["metric"] == "wall" { print $at["bench"] }' | uniq | paste -sd' '; }
# listed KIND PATTERN...: what bench-list has
listed() { bench-list --csv "$@" | sed 1d | cut -d, -f2 | paste -sd' '; }

small='-P m=2 -P n=2 -P k=2'
# shellcheck disable=SC2086
{
	is "$(run -k 'gem*' $small | benches)" "$(listed kernels 'gem*')" 'a pattern of kernels selects what bench-list lists for it'
	is "$(run -k 'GEM[MV]' $small | benches)" 'gemm gemv' 'a pattern of kernels matches in any case'
	is "$(run -k 'gemv,gem*' $small | benches)" 'gemv gemm gemm_batched' 'a kernel that was selected before is not measured twice'
	is "$(run -n one -n two -k 'GEM[MV]' $small | benches)" 'one two' 'names given by -n apply to selected kernels in order'
	status 1 'a pattern without matches is skipped, and the others are measured' run -k 'gemm,zzz*' $small
	status 2 'bench-run rejects a kernel that is named twice' run -k gemm,gemm $small
}
status 2 'bench-run exits with 2 if its only pattern has no matches' run -M 'bert-lage*'
is "$(cat .err)" "bench-run: no model matches 'bert-lage*'; did you mean bert-large-uncased? (there are: bert-base-uncased, bert-large-uncased, clip-vit-base-patch32 and 14 more; for a file of your own, use ./FILE)" \
	'a pattern without matches is reported with similar names, in one line'
status 2 'bench-run exits with 2 if its only model is missing' run -M gpt3
like "$(cat .err)" "^bench-run: unknown model 'gpt3'; did you mean gpt2[?] [(]there are: " 'a missing model is reported with similar names'
status 2 'bench-run exits with 2 if its only kernel resembles no other' run -k '?????zz'
like "$(cat .err)" "^bench-run: no kernel matches '[?]*zz' [(]there are: add, attention, " 'a kernel that resembles no other is reported with all kernels'
is "$(listed models all)" "$(listed models)" 'bench-list lists everything for "all"'
# Even the smallest shapes would take long, so bench-run is only asked for the names.
timeout 60 bench-run --strict -M all -b tpu 2>.err
is "$?,$(sed 's/^bench-run: //; s/: .*//' .err)" "2,backend 'tpu' is unavailable" 'all models are selected by all'
timeout 60 bench-run --strict -c true -k all -b tpu 2>.err
is "$?,$(sed -n 's/^bench-run: \([^:]*\): skipped.*/\1/p' .err | paste -sd' ')" "2,$(listed kernels)" 'all kernels are selected by all'
printf 'kind,bench,subject\nkernel,every,gem*\n' >table.csv
status 2 'a table of subjects cannot contain patterns' run -I table.csv
mkdir lists && cp "$ROOT/share/models/gpt2.csv" 'lists/g*.csv'
status 2 'a model with a slash is a file, not a pattern' run -M './lists/*.csv'
timeout 60 bench-run --strict -c true -b tpu -M './lists/g*.csv' 2>.err
like "$(cat .err)" 'lists/g\*.csv: skipped: backend ' 'a file of a model may have a pattern in its name'

# Objects.
is "$(bench-list --csv basics.so | sed 1d | cut -d, -f2)" "$(bench-list --csv "$BUILD/lib/benchutils/basics.so" | sed 1d | cut -d, -f2)" \
	'bench-list finds the objects of the toolkit by name'
ok 'bench-list finds benchmarks in basics.so' bench-list basics.so
is "$(bench-list --csv 'basics.so:qsort' | sed 1d | cut -d, -f2)" qsort 'bench-list finds a function of the toolkit by name'
gcc -x c -shared -fPIC -o basics.so - <<'END'
void benchmark_own(void) { }
END
is "$(bench-list --csv basics.so | sed 1d | cut -d, -f2)" own 'an object in the current directory takes precedence over one of the toolkit'
bench-list none.so 2>list.err
bench-run -f none.so 2>run.err
is "$(sed 's/^bench-list//' list.err)" "$(sed 's/^bench-run//' run.err)" 'bench-list and bench-run report a missing object in the same words'
is "$(cat run.err)" 'bench-run: none.so: No such file or directory' 'a missing object is reported as it was typed'
done_testing
