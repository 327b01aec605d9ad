#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the constants of backends/gpu/hip_abi.h, and the types that cudahip.h relies on, with AMD's headers.
. "${0%/*}/../lib/tap.sh"

include=
for dir in /opt/rocm/include /usr/include; do
	[ -e "$dir/hip/hip_runtime_api.h" ] && include=$dir && break
done
[ -n "$include" ] || { echo "1..0 # SKIP AMD's headers are not installed" && exit; }

# Each line of the list has our name of a constant, and theirs.
{
	printf '#define __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime_api.h>\n#include "%s/backends/gpu/hip_abi.h"\n' "$ROOT"
	while read -r ours theirs; do
		printf '_Static_assert((int)%s == (int)%s, "%s");\n' "$ours" "$theirs" "$ours"
	done
	printf '_Static_assert(sizeof(%s) == sizeof(%s), "");\n' hipDeviceptr_t 'void *' hipDevice_t int
} >abi.c <<'END'
HIP_ATTRIBUTE_UNITS hipDeviceAttributeMultiprocessorCount
HIP_ATTRIBUTE_MAJOR hipDeviceAttributeComputeCapabilityMajor
HIP_ATTRIBUTE_MINOR hipDeviceAttributeComputeCapabilityMinor
END
ok "the constants of hip_abi.h and the sizes of types are those of AMD's headers" gcc -fsyntax-only -isystem "$include" abi.c
# Each constant of HIP must be in the list.
grep -oE '\<HIP_[A-Z0-9_]+ = ' "$ROOT/backends/gpu/hip_abi.h" | cut -d' ' -f1 | while read -r name; do
	grep -q "\"$name\"" abi.c || echo "$name"
done >missing
is "$(cat missing)" '' "each constant of HIP in hip_abi.h is compared with AMD's headers"
done_testing
