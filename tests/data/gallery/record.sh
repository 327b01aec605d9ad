#!/bin/sh
# Records the streams of docs/gallery.txt beside this script: all, or those named. They are real
# runs, of a minute or two altogether. Of their rows those of the metrics that are drawn are
# kept, so that they stay small; the host is called lab, and there are no commits but for
# the history, whose commits and days are made up, as the gallery says.
#     BUILD=$PWD/build sh tests/data/gallery/record.sh [stream...]
set -e

here=$(cd "${0%/*}" && pwd)
root=$(cd "$here/../../.." && pwd)
PATH=${BUILD:-$root/build}/bin:$PATH
export PATH
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
cd "$T"
export BENCH_DB="$T/history.db"

# Random, and always the same.
random() { awk -v n="$1" 'BEGIN { srand(7); for (i = 0; i < n; i++) print int(rand() * 1e9) }'; }
for n in 1000 2000 4000 8000 16000 32000 20000 25000; do
	random $n >"numbers-$n"
done
random 1500000 >numbers
awk 'BEGIN {
	srand(3)
	count = split("the of and a benchmark measures time memory Über naïve samples in lines of text with " \
		"medians intervals noise runs machine kernel thread", word, " ")
	for (line = 0; line < 40000; line++) {
		text = ""
		for (i = 0; i < 8; i++)
			text = text word[int(rand() * count) + 1] " "
		print text int(rand() * 1e6)
	}
}' >words
awk 'BEGIN {
	srand(5)
	print "bench,n,metric,unit,value"
	for (i = 0; i < 400000; i++)
		printf "b,%d,wall,ns,%.6f\n", i % 20000, 1e6 + rand() * 1e5
}' >samples.csv
cp "${BUILD:-$root/build}/lib/benchutils/basics.so" .

commit() { printf '%07x\n' $(($1 * 2654435 % 268435456)); }
size() { [ "$1" -lt 25 ] && echo 20000 || echo 25000; }

# tidy METRICS: the rows of some metrics (all: *), without what tells this machine
tidy() {
	awk -F, -v OFS=, -v metrics=" $1 " '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 {
			if (metrics != " * " && !index(metrics, " " $at["metric"] " "))
				next
			$at["host"] = "lab"
			$at["env"] = ""
			if ($at["commit"] !~ /^[0-9a-f]+$/ || !dated)
				$at["commit"] = ""
		}
		{ print }' dated="${2:-}"
}

# days: the history's commits, a day apart, in place of the seconds that were
days() {
	awk -F, -v OFS=, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
		!($at["commit"] in day) { day[$at["commit"]] = count++ }
		{
			d = day[$at["commit"]]
			$at["time"] = sprintf("2026-%02d-%02dT12:00:00Z", 3 + int(d / 31), 1 + d % 31)
			print
		}'
}

keep() {
	case $1 in
	gemm.csv) tidy 'flop_rate' ;;
	kernels.csv) tidy 'flop_rate bandwidth peak_flop_rate peak_bandwidth arithmetic_intensity' ;;
	memory.csv) tidy 'rss cpu_utilisation' ;;
	batch.csv) tidy 'wall throughput device_memory' ;;
	threads.csv) tidy 'speedup' ;;
	models.csv | devices.csv) tidy 'wall throughput' ;;
	profile-*) tidy 'samples' ;;
	history.csv) tidy 'user' dated | days ;;
	*) tidy 'wall' ;;
	esac
}

sed -n -e ':a' -e '/\\$/{N;s/\\\n[[:space:]]*//;ba' -e '}' -e 's/^stream //p' "$root/docs/gallery.txt" >streams
while read -r file command; do
	[ $# -eq 0 ] || case " $* " in *" $file "*) ;; *) continue ;; esac
	echo "$file" >&2
	eval "$command" </dev/null 2>said | keep "$file" >kept
	[ -s kept ] || { cat said >&2; exit 1; }
	mv kept "$here/$file"
done <streams
