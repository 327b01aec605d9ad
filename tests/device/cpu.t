#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the backend cpu with ref in each configuration that this machine can run: with a core type
# of OpenBLAS that the user names, without oneDNN, and with narrower vectors than the processor has.
# tests/device/backends_vs_ref.t tests the default configuration.
. "${0%/*}/../lib/tap.sh"

check="$BUILD/tests/op_check" plugin="$BUILD/lib/benchutils/backend-cpu.so"
[ -x "$check" ] || { echo "1..0 # SKIP no $check; make tests builds it" && exit; }
[ -e "$plugin" ] || { echo "1..0 # SKIP the backend cpu was not built" && exit; }
unset BENCH_CPU_DNN BENCH_CPU_ISA OPENBLAS_CORETYPE

# way SETTING...: prints how the device describes itself with these variables
way() { env "$@" "$check" "$plugin" 0 nop 2>&1 | sed -n '1s/, seed.*//p'; }
# wrong SETTING...: prints the failures of op_check with these variables, and its status unless 0
wrong() {
	env "$@" timeout 300 "$check" "$plugin" >told 2>&1
	got=$?
	grep -q '^ok ' told || { echo "nothing was checked" && cat told; }
	grep '^not ok' told
	[ $got -eq 0 ] || { echo "status $got" && tail -n 3 told; }
}

chosen=$(way)
core=$(echo "$chosen" | sed -n 's/.*OpenBLAS \([^,]*\),.*/\1/p')
for setting in OPENBLAS_CORETYPE="$core" BENCH_CPU_DNN=no BENCH_CPU_ISA=avx2 BENCH_CPU_ISA=baseline; do
	if [ "$(way "$setting")" = "$chosen" ]; then
		echo "ok $((tests += 1)) - the backend cpu gives the results of ref with $setting # SKIP the setting changes nothing here: ${chosen#\# }"
	else
		is "$(wrong "$setting")" '' "the backend cpu gives the results of ref with $setting"
	fi
done
like "$(way BENCH_CPU_ISA=baseline)" 'kernels baseline' "the device of the backend cpu names the vectors that it uses"
like "$(way BENCH_CPU_DNN=no)" 'without oneDNN' "the device of the backend cpu reports that oneDNN is not used"
done_testing
