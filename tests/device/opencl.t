#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests what is specific to the backend opencl: the compiled programs that it keeps on disk, and its
# kernels for GPUs, on a processor. tests/device/backends_vs_ref.t tests its operations.
# slow
. "${0%/*}/../lib/tap.sh"

plugin="$BUILD/lib/benchutils/backend-opencl.so"
check="$BUILD/tests/op_check"
if [ ! -e "$plugin" ] || [ ! -x "$check" ]; then
	echo "1..0 # SKIP the opencl backend is not built"
	exit
fi
timeout 60 "$check" "$plugin" 0 nop 2>&1 | grep 'no device' && { echo "1..0 # SKIP no device" && exit; }
# as tests/device/backends_vs_ref.t explains
if [ -n "${SANITIZED:-}" ]; then
	[ ! -e /etc/OpenCL/vendors/pocl.icd ] || export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
fi

# Compiling takes long, so pocl keeps what it compiles in the cache of all tests.
export POCL_CACHE_DIR="$XDG_CACHE_HOME/pocl/kcache"
quick() { timeout 300 bench-run -q -e none -w 0 -r 1 --processes 1 -b opencl "$@" 2>&1; }
# kept DIR: prints the first program that the backend keeps in a directory
kept() { find "$1" -type f -name 'opencl-*' | sort | head -n 1; }
like "$(XDG_CACHE_HOME="$T/cache" quick -k copy -P n=1000)" 'copy,.*,ok,1,1,ok' "the backend opencl compiles and runs a kernel"
ok "bench-run keeps compiled programs in XDG_CACHE_HOME" [ -s "$(kept "$T/cache/benchutils")" ]

# PoCL has no PCI addresses: a library answers the question of cl_khr_pci_bus_info before it. A
# sanitizer must be loaded first.
if [ -z "${SANITIZED:-}" ]; then
	cat >pci.c <<'END'
#include <dlfcn.h>
#include <stddef.h>
int clGetDeviceInfo(void *device, unsigned what, size_t size, void *to, size_t *used)
{
	int (*real)(void *, unsigned, size_t, void *, size_t *) =
		dlsym(dlopen("libOpenCL.so.1", RTLD_NOW), "clGetDeviceInfo");
	if (what != 0x410f)
		return real(device, what, size, to, used);
	for (unsigned i = 0; i < 4; i++)
		((unsigned *)to)[i] = i == 1 ? 0x5e : 0;
	return 0;
}
END
	gcc -shared -fPIC -o pci.so pci.c
	is "$(LD_PRELOAD=$T/pci.so bench-list --csv devices opencl | awk -F , 'NR == 2 { print $(NF - 1) }')" 0000:5e:00.0 \
		"the backend opencl writes PCI addresses as Linux does"
	is "$(bench-list --csv devices opencl | awk -F , 'NR == 2 { print $(NF - 1) }')" '' \
		"a PCI address that the backend opencl does not know is empty"
fi

# drawn DIR: prints the results of a kernel whose programs are kept in a directory
drawn() { OP_CHECK_CACHE=$1 timeout 300 "$check" "$plugin" 0 draw 2>&1 | grep -oE '^(not ok|ok|1\.\.)' | tr '\n' ' '; }
right='ok ok ok ok 1.. '
is "$(drawn "$T/kept")" "$right" "the backend opencl draws the engine's numbers"
program=$(kept "$T/kept")
ok "the backend opencl keeps a compiled program" [ -s "$program" ]
inode=$(stat -c %i "$program")
is "$(drawn "$T/kept") $(stat -c %i "$program")" "$right $inode" "the backend opencl uses a kept program again"
# damaged FILE WHAT: checks that a kernel runs with FILE in place of the program, and replaces it
damaged() {
	cp "$1" "$program"
	is "$(drawn "$T/kept")" "$right" "the backend opencl runs a kernel in spite of $2"
	if cmp -s "$1" "$program"; then got=1; else got=0; fi
	result $got "the backend opencl replaces $2"
}
head -c 2000 "$program" >short
damaged short "a truncated program"
: >empty
damaged empty "an empty program"
{ head -c 500 "$program" && printf 'other' && tail -c +506 "$program"; } >changed
damaged changed "a corrupt program"
: >file
is "$(drawn "$T/file")" "$right" "the backend opencl runs a kernel without a directory for programs"

like "$(BENCH_OPENCL_KERNELS=tpu timeout 60 "$check" "$plugin" 0 nop 2>&1)" \
	'BENCH_OPENCL_KERNELS is "tpu", not cpu or gpu' "the backend opencl rejects an unknown value of BENCH_OPENCL_KERNELS"
export OP_CHECK_CACHE="$XDG_CACHE_HOME/benchutils"
is "$(timeout 300 "$check" "$plugin" 0 special 2>&1 | grep -B 8 '^not ok')" '' \
	"the backend opencl gives the results of ref for NaN and infinities"
# Without optimization, which takes a third of the time: no processor needs these kernels to be fast.
for operation in layernorm topk experts cache; do
	like "$(BENCH_OPENCL_KERNELS=gpu POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable timeout 300 \
		"$check" "$plugin" 0 $operation 2>&1 | tr '\n' ' ')" \
		"ok 1 - $operation float32: .*ok 2 - $operation float64: .*ok 3 - $operation float16: .*ok 4 - $operation bfloat16: .* 1..4" \
		"the kernels for GPUs give the results of ref for $operation"
done
# CLBlast compiles slowly, so one product has to be enough.
export BENCH_OPENCL_KERNELS=gpu
like "$(quick -k gemm -P m=40 -P n=50 -P k=60 --check)" 'gemm,.*,ok,1,1,ok' "a product of CLBlast gives the result of ref"
done_testing
