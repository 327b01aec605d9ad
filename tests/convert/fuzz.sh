#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: fuzz.sh TARGETS [NAME...]
#
# Reads FUZZ_RUNS random files (a million) as each format that bench-convert reads, and as a
# file of any format ("any"), and reads as many random pages of formats ("page"), or does so
# only for the given names. TARGETS is the directory of the programs fuzz_convert and
# fuzz_page, which `make fuzz` builds. The first inputs are the fixtures of the format, and
# what bench-convert writes in it. Inputs that reached new code stay in TARGETS/NAME for the
# next time.
#
# Prints a line for each name: the number of inputs, inputs in a second, the share of inputs
# that are JSON if the format is, the share that was converted, and the branches reached. Ends
# with status 1 at the first input that breaks a rule or that a sanitizer reports; that input
# and the log are in TARGETS. FUZZ_OPTIONS are further options of libFuzzer.
set -eu

targets=$1
shift
convert=$BUILD/bin/bench-convert
runs=${FUZZ_RUNS:-1000000}
# Small quarantines and stacks, and no counters of how often a branch was taken, make fuzzing
# four times as fast.
export ASAN_OPTIONS=quarantine_size_mb=4:malloc_context_size=1:max_malloc_fill_size=256

# A short table of metrics, because it is read for each file.
mkdir -p "$targets/share"
ln -sfn "$PWD/share/formats" "$targets/share/formats"
sed 13q share/metrics.csv >"$targets/share/metrics.csv"

fixtures() {
	find tests/fixtures/data/convert tests/fixtures/data/formats -type f ! -name README
}

# Prints the filter of jq that selects members of the files of a format: a few of each kind,
# because an input with many rows takes long.
members() {
	case $1 in
	aiperf)
		echo 'kept(.aiperf_version, .start_time, .was_cancelled, .is_complete,
				(.request_latency, .time_to_first_token, .inter_token_latency |
					.avg, .p50, .p90, .count),
				(.request_throughput, .request_count, .benchmark_duration | .avg),
				.input_config.models.items, .input_config.phases,
				.input_config.endpoint.type) |
			.input_config.phases |= map({name, kind, type, concurrency})'
		;;
	asv) # The columns result, params, started_at, stats_number and samples.
		echo 'def columns: [.[0, 1, 3, 9, 11]];
			kept(.commit_hash, .env_name, .version, .params.machine, .result_columns, .results) |
			.result_columns |= columns |
			.results |= (with_entries(select(.key | test("time_sort|time_boom|mem_|track_w"))) |
				map_values(columns)) |
			walk(if type == "array" and all(type == "number") then .[:1] else . end)'
		;;
	fio)
		echo 'kept(.["fio version"], .timestamp_ms, .["global options"], .jobs[0]) |
			.jobs[0] |= kept(.jobname, .error, .["job options"],
				(.read, .write | .total_ios, .iops, .bw_bytes,
					(.lat_ns, .clat_ns | .mean, .stddev), .clat_ns.percentile["50.000000"]))'
		;;
	vllm)
		echo 'with_entries(select(.key |
				test("_(tpot|e2el)_|p50|p99|date|tokenizer|texts|_lens|_times|_input|max") | not)) |
			walk(if type == "array" then .[1:3] else . end)'
		;;
	*) echo . ;;
	esac
}

# Prints a JSON file of a format in one line, with the first and last elements of its long
# lists.
shortened() {
	zcat -f "$2" | jq -c "def kept(names): . as \$all |
			reduce path(names) as \$at (null;
				if (\$all | getpath(\$at)) == null then . else setpath(\$at; \$all | getpath(\$at)) end);
		$(members "$1") |
		walk(if type == \"array\" and length > 10 then .[:5] + .[-5:] else . end)"
}

# Copies the first inputs for a name to a directory. Large files make fuzzing slow: JSON files
# are shortened, and if there are small files, they are enough.
seeds() {
	case $1 in
	any) fixtures | while read -r file; do cp "$file" "$2"; done ;;
	page) cp share/formats/* "$2" ;;
	table)
		rows=tests/fixtures/data/convert/hyperfine.json
		"$convert" -q "$rows" | "$BUILD/bin/bench-stat" --csv >"$2/statistics.csv"
		"$convert" -q "$rows" | "$BUILD/bin/bench-compare" -b n --csv >"$2/verdicts.csv" || true
		"$BUILD/bin/bench-list" --csv kernels add >"$2/subjects.csv"
		printf 'env,fact,value\n1,host.os,Linux\n' >"$2/facts.csv"
		;;
	*)
		for file in $(fixtures); do
			"$convert" -q -f "$1" "$file" -o "$targets/rows" 2>/dev/null || continue
			short=$2/${file##*/}.short
			if shortened "$1" "$file" >"$short" 2>/dev/null &&
				"$convert" -q -f "$1" "$short" -o "$targets/rows" 2>/dev/null; then
				continue
			fi
			rm -f "$short"
			zcat -f "$file" >"$2/${file##*/}"
		done
		for file in convert/hyperfine.json convert/wrk.txt; do
			"$convert" -q -t "$1" -o "$2/${file#*/}.written" \
				"tests/fixtures/data/$file" 2>/dev/null || true
		done
		;;
	esac
	if [ -n "$(find "$2" -type f -size -5)" ]; then
		find "$2" -type f -size +8 -delete
	fi
}

# The length of the longest file in a directory, and some more.
longest() {
	wc -c "$1"/* | awk '$2 != "total" && $1 > most { most = $1 }
		END { print int(most * 1.2) + 500 }'
}

# Prints the line for a name from its log.
summary() {
	awk -v name="$1" '
		/^FILES/ { files = $2; no_json = $4; converted = $6 }
		$2 == "DONE" { branches = $4 }
		/^Done/ { seconds = $5 }
		END {
			printf "%-18s %8d inputs %6d/s %3d%% read %3d%% converted %6d branches\n",
				name, files, files / (seconds ? seconds : 1),
				100 * (files - no_json) / files, 100 * converted / files, branches
		}' "$2"
}

fuzz() {
	program=$targets/fuzz_convert
	[ "$1" = page ] && program=$targets/fuzz_page
	rm -rf "$targets/seeds/$1"
	mkdir -p "$targets/seeds/$1" "$targets/$1"
	seeds "$1" "$targets/seeds/$1"
	if [ -z "$(ls "$targets/seeds/$1")" ]; then
		echo "$1: no first inputs: $convert reads no fixture as this format" >&2
		exit 1
	fi
	# shellcheck disable=SC2086 # several options
	FUZZ_FROM=$1 BENCH_SHARE=$targets/share "$program" -runs="$runs" -timeout=10 \
		-max_len="$(longest "$targets/seeds/$1")" -mutate_depth=2 -len_control=100 \
		-use_counters=0 \
		-artifact_prefix="$targets/finding-$1-" ${FUZZ_OPTIONS:-} \
		"$targets/$1" "$targets/seeds/$1" >"$targets/$1.log" 2>&1 || {
		tail -30 "$targets/$1.log" >&2
		echo "$1: an input was found, whose name is in $targets/$1.log" >&2
		exit 1
	}
	summary "$1" "$targets/$1.log"
}

# shellcheck disable=SC2046 # a word for each format
[ $# -gt 0 ] || set -- any page $("$convert" --list --csv | awk -F, '$2 == "yes" { print $1 }')
for name; do
	fuzz "$name"
done
