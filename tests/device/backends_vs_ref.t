#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Backends beside ref, which computes in double precision: each that was built, and the example,
# built out of tree as its readers would.
. "${0%/*}/../lib/tap.sh"

check="$BUILD/tests/op_check"
# What a device's compiler makes takes minutes the first time.
export OP_CHECK_CACHE="$XDG_CACHE_HOME"
[ -x "$check" ] || { echo "1..0 # SKIP no $check; make tests builds it" && exit; }

# Mesa's drivers leave behind what they allocated when they are unloaded without a device, so
# they are kept away.
if [ -n "${SANITIZED:-}" ]; then
	[ ! -e /etc/OpenCL/vendors/pocl.icd ] || export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
fi

# wrong PLUGIN [DEVICE GROUP]: what op_check finds wrong with it, and whether it ended well
wrong() {
	timeout 500 "$check" "$@" >told 2>&1
	got=$?
	grep -q '^ok ' told || { echo "nothing was checked" && cat told; }
	grep -B 8 '^not ok' told
	[ $got -eq 0 ] || { echo "status $got" && tail -n 3 told; }
}
is "$(wrong ref)" '' "ref has every operation"
is "$(grep -c SKIP told)" 0 "and skips none"
is "$(grep -c '^ok .* float64' told)" 39 "in float64: 32 operations and 7 chains"

for plugin in "$BUILD"/lib/benchutils/backend-*.so; do
	[ -e "$plugin" ] || continue
	name=${plugin##*/}
	found=$(wrong "$plugin")
	case $found in
	*'no device'*) echo "ok $((tests += 1)) - $name gives what ref gives # SKIP it finds no device" ;;
	*) is "$found" '' "$name gives what ref gives" ;;
	esac
done

mkdir -p include mine
cp "$ROOT/include/bench-backend.h" include/bench-backend.h
cp "$ROOT"/share/examples/backend/* mine
# built CFLAGS: the example as its own Makefile makes it
built() { (cd mine && make -s clean && make -s PREFIX="$T" CFLAGS="$1" 2>&1); }
is "$(built '-Wall -Wextra -Werror -O2')" '' "the example is built against the header alone"
is "$(wrong mine/backend-skeleton.so)" '' "and gives what ref gives"
is "$(grep -c '^ok [^#]*cases' told)" 6 "in its six operations"

# broken FROM TO GROUP: the example with this mistake must be found out
broken() {
	sed -i "s/$1/$2/" mine/skeleton.c
	built -O1 >/dev/null
	like "$(wrong mine/backend-skeleton.so 0 "$3")" "not ok .* $3 float32" "a mistake is found: $2"
	cp "$ROOT/share/examples/backend/skeleton.c" mine
}
broken 'sum \*= op->p.gemm.alpha' 'sum *= 1.0001' gemm
broken 'tensor_data(op->in\[2\])\[j\]' '0' gemm
broken 'k < tensor_size(a, 0)' 'k < tensor_stride(a, 1)' gemm
broken 'return x > 0 ? x : 0' 'return x' unary
broken '; i < n; i++' '; i <= n; i++' scale
done_testing
