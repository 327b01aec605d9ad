#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Our models at their full sizes on the backend cpu, ONNX Runtime and OpenVINO, in float32 with one thread
# for each processor. engines.sh [ROUNDS [MODEL...]]; each round measures each model on each of them, in a
# new process each time. Prints the medians of the times, of the times to load, and the largest peaks of
# memory; and the ratio of cpu to the faster engine, with the geometric mean of these ratios.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-3}
[ $# -eq 0 ] || shift
. "$here/lib/rounds.sh"
. "$here/lib/engines_here.sh"
# shellcheck disable=SC2154 # rounds.sh sets dir
[ $# -gt 0 ] || bench-list --csv models | awk -F, 'NR > 1 { print $2 }' >"$dir/models"
[ $# -eq 0 ] || printf '%s\n' "$@" >"$dir/models"
threads=$(nproc)

i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	while read -r model; do
		bench-run -q -e none --processes 1 -w 1 -r 2 -P threads="$threads" -M "$model" \
			-b cpu,onnxruntime:cpu,openvino:cpu </dev/null >>"$dir/$model.csv" 2>"$dir/err" ||
			sed "s/^/$model: /" "$dir/err" >&2
	done <"$dir/models"
done

printf '%-24s %10s %10s %10s  %8s %8s %8s  %6s %6s %6s  %s\n' "$threads threads" cpu ORT OpenVINO load ORT \
	OpenVINO MiB ORT OpenVINO ratio
while read -r model; do
	bench-stat -g bench,backend -s median,max "$dir/$model.csv" | awk -F, '
		function number(value, unit) { return value == "" ? "-" : sprintf("%.*f", unit > 1e4 ? 0 : 2, value / unit) }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			bench = $at["bench"]
			median[$at["backend"], $at["metric"]] = $at["median"]
			most[$at["backend"], $at["metric"]] = $at["max"]
		}
		END {
			count = split("cpu onnxruntime openvino", backend, " ")
			printf "%-24s", bench
			for (i = 1; i <= count; i++)
				printf " %10s", number(median[backend[i], "wall"], 1e6)
			printf " "
			for (i = 1; i <= count; i++)
				printf " %8s", number(median[backend[i], "load"], 1e6)
			printf " "
			for (i = 1; i <= count; i++)
				printf " %6s", number(most[backend[i], "max_rss"], 1048576)
			best = median["onnxruntime", "wall"]
			if (best == "" || (median["openvino", "wall"] != "" && median["openvino", "wall"] + 0 < best + 0))
				best = median["openvino", "wall"]
			ours = median["cpu", "wall"]
			print ours == "" || best == "" ? "  -" : sprintf("  %.3f", ours / best)
		}'
done <"$dir/models" | tee "$dir/table"
awk '$NF > 0 { sum += log($NF); n++ } END { if (n) printf "geometric mean of %d ratios %.3f\n", n, exp(sum / n) }' "$dir/table"
