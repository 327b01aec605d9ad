#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the operations and the models on each GPU of the machine, and compares the results with ref.
# make check-gpu runs this test alone.
# slow
. "${0%/*}/../lib/tap.sh"

check="$BUILD/tests/op_check"
export OP_CHECK_CACHE="$XDG_CACHE_HOME"
bench-list devices >devices.csv
# The backend and number of each GPU that can be used; CSV quotes only columns after these.
awk -F, 'NR > 1 && $4 == "gpu" && /,ok,/ { print $1, $2 }' devices.csv >gpus
[ -s gpus ] || { echo "1..0 # SKIP no backend finds a GPU" && exit; }

# wrong BACKEND NUMBER: prints the failures of op_check
wrong() {
	timeout 1000 "$check" "$BUILD/lib/benchutils/backend-$1.so" "$2" >told 2>&1
	got=$?
	grep -q '^ok ' told || { echo "nothing was checked" && cat told; }
	grep -B 8 '^not ok' told
	[ $got -eq 0 ] || { echo "status $got" && tail -n 3 told; }
}
{
	echo kind,bench,subject,args
	while read -r model _ small; do
		echo "model,$model,$model,$small"
	done <"$ROOT/tests/device/small_models.txt"
} >models.csv
while read -r backend number <&3; do
	is "$(wrong "$backend" "$number")" '' "$backend, device $number gives the results of ref for each operation"
	is "$(OP_CHECK_EACH=1 wrong "$backend" "$number")" '' \
		"$backend, device $number gives the results of ref for each operation that is started by itself"
	for dtype in float32 tf32 float16 bfloat16; do
		grep "^$backend,$number,.*[ ,]${dtype}[ ,]" devices.csv >/dev/null || continue
		timeout 1000 bench-run -q -e none -r 1 -w 0 --processes 1 -b "$backend" -P device="$number" -P dtype=$dtype --check \
			-I models.csv >checked.csv 2>err
		is "$? $(cat err) $(unmarked checked.csv | grep -c ',error,1,')" "0  $(grep -c . "$ROOT/tests/device/small_models.txt")" \
			"the models give the results of ref in $dtype on $backend, device $number"
	done
done 3<gpus
done_testing
