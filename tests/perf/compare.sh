#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-compare over 10,000 benchmarks of 30 samples a side, compared with the same estimates and
# intervals by SciPy and NumPy: the test of Mann and Whitney, and the sorted ratios of all pairs.
# SciPy is timed on a few of the benchmarks, with as many processes as there are processors, and its
# time is scaled. Processor time is also compared, because it depends less on other load.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-5}
benches=10000 few=${2:-100}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
for side in old new; do
	awk -v n=$benches -v side=$side 'BEGIN {
		srand(side == "new" ? 7 : 8)
		print "run,bench,sample,metric,unit,value"
		for (b = 0; b < n; b++)
			for (s = 0; s < 30; s++)
				printf "%s,b%d,%d,wall,ns,%d\n", side, b, s,
					(b % 97 + 3) * 1e6 * exp((rand() + rand() + rand() + rand() - 2) * 0.05)
	}' >$side.csv
done
cat >theirs.py <<'END'
import csv, multiprocessing, sys
import numpy as np
from scipy import stats

few = int(sys.argv[1])

def read(path):
    values = {}
    with open(path) as file:
        for row in csv.DictReader(file):
            if int(row["bench"][1:]) >= few:
                break
            values.setdefault(row["bench"], []).append(float(row["value"]))
    return values

def interval(sides):
    old, new = map(np.array, sides)
    ratios = np.sort(np.divide.outer(new, old), axis=None)
    error = np.sqrt(len(old) * len(new) * (len(old) + len(new) + 1) / 12)
    k = int(np.ceil(len(ratios) / 2 - 0.5 - stats.norm.isf(0.025) * error))
    p = stats.mannwhitneyu(new, old, method="exact").pvalue
    return p, np.median(ratios), ratios[k - 1], ratios[-k]

old, new = read("old.csv"), read("new.csv")
with multiprocessing.Pool() as pool:
    pool.map(interval, [(old[b], new[b]) for b in old])
END
python=/usr/bin/python3
$python -c 'import scipy' 2>/dev/null || python=
run() { bench-run -q -e none -w 1 -r "$rounds" --success 0,1 "$@" >out.csv; }
# of NAME METRIC: prints the median
of() { bench-stat -g bench -s median out.csv | awk -F, -v b="$1" -v m="$2" '$1 == b && $2 == m { print $4 }'; }
set -- -n ours -c 'bench-compare -q old.csv new.csv' -n one -c 'taskset -c 0 bench-compare -q old.csv new.csv'
[ -z "$python" ] || set -- "$@" -n nothing -c "$python theirs.py 0" -n scipy -c "$python theirs.py $few"
run "$@"
# cpu NAME: user and sys
cpu() { echo "$(of "$1" user) $(of "$1" sys)" | awk '{ print $1 + $2 }'; }
for name in ours one; do
	echo "$(of $name wall) $(cpu $name)" | awk -v name=$name '{ printf "%-12s %7.3f s, processor time %7.3f s%s\n",
		name, $1 / 1e9, $2 / 1e9, name == "one" ? " (on one processor)" : "" }'
done
of ours wall | awk '{ printf "parsing included: %.3f s (goal: below 1)\n", $1 / 1e9 }'
[ -n "$python" ] || { echo 'no SciPy here'; exit 0; }
# ratio WHAT OURS THEIRS NOTHING-OF-THEIRS
ratio() {
	echo "$2 $3 $4" | awk -v what="$1" -v n=$benches -v few="$few" '{
		theirs = ($2 - $3) * n / few
		printf "%s / SciPy (%d of %d, scaled to %.0f s): %.4f\n", what, few, n, theirs / 1e9, $1 / theirs }'
}
ratio 'wall time' "$(of ours wall)" "$(of scipy wall)" "$(of nothing wall)"
ratio 'processor time' "$(cpu ours)" "$(cpu scipy)" "$(cpu nothing)"
