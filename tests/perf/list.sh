#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-list over all exported functions of the objects below /usr/lib, compared with nm and with a
# bare read of the same objects, run in random order by bench-run. Prints MB of objects per second,
# of which the goal is over 200, and the part of the bytes that bench-list reads.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-5}
directory=${2:-/usr/lib}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
# xargs would split paths with blanks, of which there are very few.
bench-list -a --csv functions "$directory" 2>/dev/null | cut -d, -f3 | sed -n 's,^\(/.*\):[^:]*$,\1,p' |
	grep -v '[ "'\'']' | sort -u >objects
xargs stat -L -c %s <objects | awk '{ size += $1 } END { printf "%d objects, %.0f MB\n", NR, size / 1e6; print size >"size" }'
rchar() { sh -c '"$@" >/dev/null 2>&1; sed -n "s/^rchar: //p" /proc/$$/io' sh "$@"; }
echo "$(rchar bench-list -a functions "$directory") $(rchar true) $(cat size)" |
	awk '{ printf "bench-list reads %.1f MB, %.1f%% of them (the walk included)\n", ($1 - $2) / 1e6, ($1 - $2) / $3 * 100 }'
bench-run -q -e none -w 1 -r "$rounds" --success any \
	-n bench-list -c "bench-list -a functions $directory" \
	-n bench-list-objects -c 'xargs -a objects bench-list -a functions' \
	-n nm -c 'xargs -a objects nm -D --defined-only' \
	-n cat -c 'xargs -a objects cat' >out.csv
for name in bench-list bench-list-objects nm cat; do
	bench-stat -g bench -s median out.csv |
		awk -F, -v b=$name -v size="$(cat size)" '$1 == b && $2 == "wall" {
			printf "%-20s %7.3f s %8.0f MB/s\n", b, $4 / 1e9, size / 1e6 / ($4 / 1e9) }'
done
