#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the backends that were built with ref, which computes in double precision; and the example,
# which is built out of tree as a reader would.
. "${0%/*}/../lib/tap.sh"

check="$BUILD/tests/op_check"
# The compiler of a device takes minutes the first time.
export OP_CHECK_CACHE="$XDG_CACHE_HOME"
[ -x "$check" ] || { echo "1..0 # SKIP no $check; make tests builds it" && exit; }

# Mesa's drivers leak memory when they are unloaded without a device, so they are not used.
if [ -n "${SANITIZED:-}" ]; then
	[ ! -e /etc/OpenCL/vendors/pocl.icd ] || export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
fi

# wrong PLUGIN [DEVICE GROUP]: prints the failures of op_check, and its status unless 0
wrong() {
	timeout 500 "$check" "$@" >told 2>&1
	got=$?
	grep -q '^ok ' told || { echo "nothing was checked" && cat told; }
	grep -B 8 '^not ok' told
	[ $got -eq 0 ] || { echo "status $got" && tail -n 3 told; }
}
is "$(wrong ref)" '' "the backend ref passes op_check"
is "$(grep -c SKIP told)" 0 "the backend ref has all operations"
is "$(grep -c '^ok .* float64' told)" 48 "op_check tests 35 operations and 13 chains in float64"

for plugin in "$BUILD"/lib/benchutils/backend-*.so; do
	[ -e "$plugin" ] || continue
	name=${plugin##*/}
	found=$(wrong "$plugin")
	case $found in
	*'no device'*) echo "ok $((tests += 1)) - $name gives the results of ref # SKIP it finds no device" ;;
	*) is "$found" '' "$name gives the results of ref" ;;
	esac
done

mkdir -p include mine
cp "$ROOT"/include/bench-*.h include
cp "$ROOT"/share/examples/backend/* mine
# built CFLAGS: builds the example with its own Makefile
built() { (cd mine && make -s clean && make -s PREFIX="$T" CFLAGS="$1" 2>&1); }
is "$(built '-Wall -Wextra -Werror -O2')" '' "the example backend compiles with only the headers of plug-ins"
is "$(wrong mine/backend-skeleton.so)" '' "the example backend gives the results of ref"
is "$(grep -c '^ok [^#]*cases' told)" 7 "op_check tests the six operations of the example backend, and a chain of products"

# broken FROM TO GROUP: checks that op_check finds this mistake in the example
broken() {
	sed -i "s/$1/$2/" mine/skeleton.c
	built -O1 >/dev/null
	like "$(wrong mine/backend-skeleton.so 0 "$3")" "not ok .* $3 float32" "op_check finds a mistake in the example backend: $2"
	cp "$ROOT/share/examples/backend/skeleton.c" mine
}
broken 'sum \*= op->p.gemm.alpha' 'sum *= 1.0001' gemm
broken 'tensor_data(op->in\[2\])\[j\]' '0' gemm
broken 'k < tensor_size(a, 0)' 'k < tensor_stride(a, 1)' gemm
broken 'return x > 0 ? x : 0' 'return x' unary
broken '; i < n; i++' '; i <= n; i++' scale
done_testing
