#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The times of generated tokens: which rows there are, and that they add up.
# timing: compares quantiles of times with those of an observer
. "${0%/*}/../lib/tap.sh"
use_engines

backends=ref
skip_unless openblas "tokens are timed on the backend cpu" && backends=$backends,cpu
if skip_unless unsanitized "tokens are timed on engines"; then
	for engine in onnxruntime openvino; do
		skip_unless $engine "tokens are timed on $engine" && backends=$backends,$engine
	done
fi

# quick OPTIONS: measures a small model briefly
quick() {
	timeout 100 bench-run -q -e none --no-peaks -w 0 --processes 1 -M gpt2 -P layers=1 -P hidden=32 -P heads=2 -P ff=64 \
		-P vocab=100 -P seq=12 "$@"
}
# cells COLUMN...: prints columns of the CSV rows on standard input, with - for an empty field
cells() {
	awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]] == "" ? "-" : $at[name[i]], i < n ? " " : "\n" }'
}
# sums FILE: prints what is wrong: in each sample, the times of all tokens are nearly the time of the sample, and
# the times between tokens are those of the mean time for each token
sums() {
	cells backend process sample metric value iterations t <"$1" | awk '
		{ sample = $1 " " $2 " " $3 }
		$4 == "wall" { wall[sample] = $5 * $6; iterations[sample] = $6 }
		$4 == "first_token" { all[sample] += $5; first[sample]++ }
		$4 == "inter_token" { all[sample] += $5; gaps[sample] += $5; steps[sample]++ }
		$4 == "per_token" { mean[sample] += $5 }
		$4 == "user_token_rate" { rate[sample] = $5 }
		$4 ~ /^(first|inter|per)_token$/ && $6 != 1 { print $0 ": iterations" }
		$4 == "first_token" && $7 != "-" && iterations[sample] == 1 { print $0 ": an offset" }
		$4 == "inter_token" {
			if ($7 == "-" || $7 + 0 <= at[sample] + 0) print $0 ": offsets do not increase"
			at[sample] = $7
		}
		END {
			for (s in wall) {
				samples++
				if (first[s] != iterations[s]) print s ": " first[s] " first tokens in " iterations[s] " iterations"
				# Between the last token and the end of the sample, only clocks are read, unless the
				# worker is interrupted there.
				over = wall[s] - all[s]
				if (over < 0) print s ": tokens take more time than the sample"
				close_ += over < 50000
				if (steps[s] && (gaps[s] / steps[s] / (mean[s] / iterations[s]) - 1) ^ 2 > 1e-12) print s ": per_token"
				if (steps[s] && (rate[s] * gaps[s] / steps[s] / 1e9 - 1) ^ 2 > 1e-12) print s ": user_token_rate"
			}
			if (2 * close_ < samples) print samples - close_ " of " samples " samples end late after their last token"
		}'
}

quick -r 6 --sample-time 1us -b "$backends" -P new_tokens=5 >one.csv
is "$(sums one.csv)" '' "the times of tokens add up to the time of an iteration"
for backend in $(echo "$backends" | tr , ' '); do
	is "$(cells backend metric iterations <one.csv | grep "^$backend inter_token" | uniq -c | tr -s ' ')" " 24 $backend inter_token 1" \
		"an iteration with 5 tokens has 4 times between tokens on $backend"
done
quick -r 3 --sample-time 20ms -b "$backends" -P new_tokens=3 -P batch=2 >many.csv
is "$(sums many.csv)" '' "a sample of several iterations has the times of the tokens of each"
is "$(bench-stat -g backend --metric first_token,inter_token -s n many.csv | awk -F, '$2 == "first_token" { n = $4 } $2 == "inter_token" { print ($4 == 2 * n && n > 3) }' |
	sort -u)" 1 "bench-stat counts the tokens of each iteration of a sample"
quick -r 1 --sample-time 1us -b "${backends%%,*}" -P new_tokens=1 >single.csv
is "$(cells metric <single.csv | grep _token | tr '\n' ' ')" 'first_token ' "a model that generates one token has only first_token"
quick -r 2 --sample-time 1us -b "${backends%%,*}" -P new_tokens=3 -J 2 >two.csv
is "$(cells workers metric <two.csv | sort | uniq -c | grep inter_token | tr -s ' \n' ' ')" ' 4 1 inter_token 4 2 inter_token ' \
	"only the tokens of the first of several workers are timed"
quick -r 1 --sample-time 1us -b "${backends%%,*}" -P new_tokens=0 >none.csv
is "$(cells metric <none.csv | grep -e _token -e user_token)" '' "a model that generates nothing has no times of tokens"

# An independent observer below benchutils: what it sees must be what the rows say.
# build_observer WHICH OUTPUT FLAG...: compiles it
build_observer() {
	which=$1 output=$2
	shift 2
	gcc -D_GNU_SOURCE -DOBSERVE="$which" -I "$ROOT/include" -O2 -shared -fPIC -o "$output" \
		"$ROOT/tests/device/token_stamps.c" "$@"
}
# build_engine_observer WHICH OUTPUT LIBRARY: compiles the observer of an engine, which is linked to the engine's library
build_engine_observer() {
	# shellcheck disable=SC2231 # it is a glob
	for library in "$VENV"/lib/python3*/site-packages/$3; do :; done
	# A package may have the library under another name than that by which it is loaded.
	soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
	[ -e "${library%/*}/$soname" ] || ln -sf "$library" "$soname"
	build_observer "$1" "$2" -Wl,--no-as-needed -L"${library%/*}" -l:"${library##*/}" -Wl,-rpath,"${library%/*}:$T"
}
# token_times FILE: prints each first_token and inter_token of a table with its value, in order
token_times() { cells metric value <"$1" | grep -e ^first_token -e ^inter_token; }
# observe BACKEND NAME=VALUE...: measures the tokens of a model in this environment while the observer stamps each pass,
# and prints how the rows differ from what it sees: in their number, or by more than 1% in a tenth of the times
observe() {
	backend=$1
	shift
	rm -f stamps
	# shellcheck disable=SC2086 # words
	env "$@" TOKEN_STAMPS="$T/stamps" timeout 100 bench-run -q -e none --no-peaks -w 2 --processes 1 -b "$backend" -M "$model" $options \
		-P new_tokens=8 -P threads=1 -r 30 --sample-time 1us >ours.csv || echo "bench-run failed"
	# The samples are the last passes: a prompt and 7 steps each.
	tail -n 240 stamps | awk 'BEGIN { print "metric,value" }
		NR % 8 == 1 { print "first_token," $2 - $1 }
		NR % 8 != 1 { print "inter_token," $2 - last }
		{ last = $2 }' >theirs.csv
	for metric in first_token inter_token; do
		token_times ours.csv | grep ^$metric >ours
		token_times theirs.csv | grep ^$metric >theirs
		paste -d' ' ours theirs | awk -v name=$metric '($2 / $4 - 1) ^ 2 > 1e-4 { differ++ }
			END {
				if (NR < 30 || NF != 4) print name ": " NR " values"
				if (differ * 10 > NR) print name ": " differ " of " NR " differ"
			}'
	done
}
if skip_unless unsanitized "the times of tokens are those that an independent observer sees"; then
	options='-P layers=6 -P hidden=384 -P heads=6 -P ff=1536 -P vocab=10000 -P seq=128'
	for model in gpt2 whisper-tiny; do
		[ $model = gpt2 ] || options='-P frames=600 -P audio_positions=300'
		if skip_unless openblas "the times of tokens of $model on cpu are observed"; then
			build_observer BACKEND backend-observed.so
			is "$(observe observed "BENCH_BACKEND_PATH=$T" "OBSERVED_BACKEND=$BUILD/lib/benchutils/backend-cpu.so")" '' \
				"the times of tokens of $model on cpu are within 1% of those that an independent observer sees"
		fi
		if skip_unless onnxruntime "the times of tokens of $model on onnxruntime are observed"; then
			build_engine_observer ONNXRUNTIME onnxruntime.so 'onnxruntime/capi/libonnxruntime.so.*'
			is "$(observe onnxruntime "BENCH_ONNXRUNTIME=$T/onnxruntime.so")" '' \
				"the times of tokens of $model on onnxruntime are within 1% of those that an independent observer sees"
		fi
		if skip_unless openvino "the times of tokens of $model on openvino are observed"; then
			build_engine_observer OPENVINO openvino.so 'openvino/libs/libopenvino_c.so*'
			is "$(observe openvino "BENCH_OPENVINO=$T/openvino.so")" '' \
				"the times of tokens of $model on openvino are within 1% of those that an independent observer sees"
		fi
	done
fi

# tokens_of_requests: prints the number of tokens of a request that the rates of a period on standard input give
tokens_of_requests() {
	cells metric value | awk '$1 == "throughput" { n = $2 } $1 == "token_rate" { printf "%.6g\n", $2 / n }'
}
is "$(quick -b ref -P new_tokens=3 -P batch=2 --rate 200 -r 6 | tokens_of_requests)" 6 \
	"token_rate under load counts the tokens of all inputs of a request"
is "$(quick -b ref -P new_tokens=3 -P batch=2 --arrivals burst -r 5 --batch-window 1ms | tokens_of_requests)" 3 \
	"token_rate counts one input for each request of a batch"

# level LIMITS: prints the share and the goodput of the samples of slo.csv that keep these limits of the first
# token, of each gap, and of the mean gap, and what bench-run wrote
level() {
	cells sample metric value iterations <slo.csv | awk -v first="$1" -v gap="$2" -v mean="$3" '
		$2 == "wall" { all += $4; time += $3 * $4 }
		$2 == "first_token" { n++; bad[n] = $3 > first }
		$2 == "per_token" && $3 > mean { bad[n] = 1 }
		$2 == "inter_token" && $3 > gap { bad[n] = 1 }
		$2 == "goodput" { goodput = $3 }
		$2 == "slo_share" { share = $3 }
		END {
			for (i in bad) kept += !bad[i]
			printf "%d %s %s\n", n == all, (share - kept / n) ^ 2 < 1e-12, (goodput * time / 1e9 - kept) ^ 2 < 1e-6
		}'
}
# Limits in the middle of the distributions of the last run.
quick -r 20 --sample-time 1us -b ref -P new_tokens=4 >slo.csv
middle() { bench-stat --metric "$1" -s median slo.csv | awk -F, 'END { print $NF }'; }
first=$(middle first_token) gap=$(middle inter_token) mean=$(middle per_token)
while read -r a b c; do
	limits=$(printf 'first_token=%sns,itl=%sns,per_token=%sns,share=90%%' "$a" "$b" "$c")
	quick -r 20 --sample-time 1us -b ref -P new_tokens=4 --slo "$limits" >slo.csv
	is "$(level "$a" "$b" "$c")" '1 1 1' "goodput and slo_share are those of the tokens within $a, $b and $c ns"
done <<END
1e12 1e12 1e12
$first 1e12 1e12
1e12 $(awk "BEGIN { print 2 * $gap }") 1e12
1e12 1e12 $mean
1 1e12 1e12
END
like "$(cells metric <slo.csv | tr '\n' ' ')" ' goodput slo_share ' "--slo adds goodput and slo_share of a model without a load"
status 2 "--slo requires a load for a command" bench-run -r 1 --slo first_token=1ms -- true
like "$(cat "$T/.err")" '--slo requires --rate, --arrivals or --scenario, because true generates no tokens' "bench-run reports that a command has no tokens for --slo"
status 2 "--slo requires a load for several workers" quick -r 1 -b ref -P new_tokens=2 -J 2 --slo itl=1ms

# served FILE: prints what is wrong in the rows of a load: the tokens of a request fill the time from its arrival
served() {
	cells process sample metric value t <"$1" | awk '
		{ request = $1 " " $2 }
		$3 == "latency" { latency[request] = $4; n++ }
		$3 == "wait" { wait_[request] = $4 }
		$3 == "first_token" {
			all[request] += $4
			at[request] = $4
			if ($4 < wait_[request]) print request ": the first token was there before its request began"
		}
		$3 == "inter_token" {
			all[request] += $4
			gaps[request] += $4
			if ($5 != (at[request] += $4)) print request ": offset " $5 " instead of " at[request]
		}
		$3 == "per_token" { if ((3 * $4 - gaps[request]) ^ 2 > 1) mean[request] = $4 }
		$3 == "user_token_rate" { rates++ }
		$3 == "token_rate" { rates++ }
		END {
			for (r in latency) {
				over = latency[r] - all[r]
				if (over < 0) print r ": tokens after its end"
				close_ += over < 50000
			}
			for (r in mean) if ((3 * mean[r] / gaps[r] - 1) ^ 2 > 1e-12) print r ": per_token"
			if (2 * close_ < n) print n - close_ " of " n " requests end late after their last token"
			if (rates != 2) print rates " rates of tokens"
		}'
}
for workers in 1 2; do
	quick -b ref -P new_tokens=4 --rate 200 -r 30 -j $workers >load.csv 2>err
	is "$(served load.csv)" '' "requests have the times of their tokens with servers: $workers"
	is "$(cells metric <load.csv | grep -c inter_token)" 90 "each request has a row for each gap with servers: $workers"
done
quick -b ref -P new_tokens=4 --rate 200 -r 30 --slo inter_token=1ns >none.csv 2>err
quick -b ref -P new_tokens=4 --rate 200 -r 30 --slo inter_token=100s >all.csv 2>err
is "$(cat none.csv all.csv | cells metric value | grep slo_share | tr '\n' ' ')" 'slo_share 0 slo_share 1 ' \
	"the service level of requests limits the times between their tokens"
status 2 "--slo limits no tokens of a model that generates none" quick -r 1 -b ref -P new_tokens=0 --rate 5 --slo itl=1ms
like "$(cat "$T/.err")" 'gpt2 generates no tokens, so it has no times of tokens' "bench-run reports that a model under load has no tokens for --slo"

if skip_unless script "bench-run prints the times of tokens on a terminal"; then
	timeout 100 script -qec "bench-run -q -e none --no-peaks -w 0 -r 20 --processes 1 -M gpt2 -P layers=1 -P hidden=32 -P heads=2 \
		-P ff=64 -P vocab=100 -P seq=12 -P new_tokens=12 -b ${backends%%,*} --sample-time 1us" /dev/null </dev/null |
		sed 's/\r$//; s/\x1b\[[0-9;]*m//g' >out
	like "$(cat out)" '^  first_token  median .*, at most [0-9.]+ .s$' "bench-run prints the time to the first token"
	like "$(cat out)" '^  inter_token  median [0-9.]+ .s, 99% at most [0-9.]+ .s$' \
		"bench-run prints the median and the 99% quantile of the times between tokens"
	like "$(cat out)" '^  tokens       one user [0-9.]+ k?/s, all users [0-9.]+ k?/s$' "bench-run prints the rates of one user and of all"
fi
done_testing
