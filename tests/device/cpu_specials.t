#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs operations on NaN and infinities on the backend cpu, and compares the results with ref.
. "${0%/*}/../lib/tap.sh"

check="$BUILD/tests/op_check" plugin="$BUILD/lib/benchutils/backend-cpu.so"
[ -x "$check" ] || { echo "1..0 # SKIP no $check; make tests builds it" && exit; }
[ -e "$plugin" ] || { echo "1..0 # SKIP the backend cpu was not built" && exit; }
unset BENCH_CPU_DNN BENCH_CPU_ISA OPENBLAS_CORETYPE

# wrong SETTING PLUGIN: prints the failures of op_check, and its status unless 0
wrong() {
	env "$1" timeout 300 "$check" "$2" 0 special >told 2>&1 || echo "status $?"
	grep -q '^ok ' told || { echo "nothing was checked" && cat told; }
	grep -B 8 -e '^not ok' -e unsupported told
}
is "$(wrong A=1 ref)" '' "the backend ref passes op_check with NaN and infinities"
for setting in A=1 BENCH_CPU_DNN=no BENCH_CPU_ISA=avx2 BENCH_CPU_ISA=baseline; do
	is "$(wrong $setting "$plugin")" '' "the backend cpu gives the results of ref for NaN and infinities with $setting"
done
done_testing
