#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which devices there are: what is told of backends that work, are broken, or lack what they
# need, and which of them an option gets.
. "${0%/*}/../lib/tap.sh"

plugins=$BUILD/tests/plugins
list() { timeout 100 bench-list --csv "$@" 2>err; }
# column NAME: of the table on standard input
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["metric"] != "rows" { print $at[name] }'; }
# run OPTIONS: one quick run of a small kernel
run() { timeout 100 bench-run -e none -r 1 -w 0 --processes 1 -k gemm -P m=16 -P n=16 -P k=16 "$@"; }

list backends >backends.csv
is "$(head -n 1 backends.csv)" backend,devices,status,path "backends are a table"
is "$(sed -n 2p backends.csv)" ref,1,ok, "ref is always there, and first"
list devices >devices.csv
is "$(head -n 1 devices.csv | cut -d, -f 1-5)" backend,index,device,type,units "devices, too"
like "$(cat devices.csv)" '^ref,0,reference,cpu,1,[0-9]+,float64 int8,' "with what they compute in"
status 1 "no backend of such a name: exit 1" timeout 100 bench-list backends nonesuch
status 2 "kernels and functions are listed apart" bench-list functions,kernels
is "$(list backends,devices,kernels,models | grep -c -e ^backend, -e ^kind,)" 4 \
	"several kinds are one table after the other"

# Broken plugins are refused with their reasons, and the others go on.
reason() { BENCH_BACKEND_PATH=$plugins list backends "$1" | cut -d, -f 3; }
like "$(reason other_abi)" 'other_abi.*ABI is [0-9]+ and' "a plugin of another ABI is refused"
like "$(reason no_sync)" "sync" "one without a hook that is needed is, by its name"
like "$(reason no_symbol)" bench_backend "one that is no plugin"
like "$(reason crashing)" 'its probe ended badly: failed:signal=(SEGV|SIGSEGV|ABRT|SIGABRT)' "one whose probe crashes"
began=$(date +%s)
like "$(reason hanging)" 'did not end within 15 s' "one whose probe hangs"
[ $(($(date +%s) - began)) -lt 40 ]
result $? "which is not waited for much longer"
is "$(gone 'bench-compute probe hanging' && echo gone)" gone "nothing of it is left"
BENCH_BACKEND_PATH=$plugins run -b ref >ok.csv 2>err
is "$?" 0 "with all of them around a run goes on"
status 2 "a broken one that is asked for by name is an error" \
	env BENCH_BACKEND_PATH="$plugins" timeout 100 bench-run -k gemm -b no_sync
like "$(cat "$T/.err")" "backend 'no_sync' is unavailable: .*sync" "with its reason"

status 2 "so is one that is not there" bench-run -k gemm -b nonesuch
is "$(cat "$T/.err")" "bench-run: there is no backend 'nonesuch' (see bench-list backends)" \
	"which is told in one line"
for family in cuda rocm mps openvino qnn tpu webgpu webnn; do
	run -b $family >one.csv 2>err
	case $? in
	0) like "$(cat err one.csv)" "$family" "-b $family finds a device, and says which" ;;
	*) like "$(cat err)" "^bench-run: backend '$family' is unavailable: ." "-b $family says why there is none" ;;
	esac
done
run >auto.csv 2>err
like "$(cat err)" '^bench-run: backend auto: [a-z]+ \(.*\)$' "auto says what it takes"
is "$(run -q 2>&1 >/dev/null)" '' "but not when it is to be quiet"
status 2 "-b is refused for commands" bench-run -b ref -- true
like "$(cat "$T/.err")" '-b requires kernels' "and why"

run -b ref -P device=0 >one.csv 2>err
is "$(column device <one.csv | sort -u)" reference "a device is taken by number"
is "$(run -b ref -P device=REFER | column device | sort -u)" reference "or by part of its name"
status 2 "but not one that is not there" bench-run -k gemm -b ref -P device=7
like "$(cat "$T/.err")" "backend 'ref' has no device '7'" "as is told"
run -b ref -P device=0+0 -J 1,2 -P dtype=float64 >one.csv
is "$(column device <one.csv | sort -u | tr '\n' ';')" "reference;reference + reference;" \
	"workers take turns on several devices, and those that are used are named"
like "$(column metric <one.csv)" speedup "which are compared"
status 2 "devices are given once" bench-run -k gemm -b ref -P device=0 -P device=0
like "$(cat "$T/.err")" 'device is given twice' "as is told"

# Without the library that a plugin is linked with.
if [ -e "$BUILD/lib/benchutils/backend-cpu.so" ]; then
	mkdir lacking
	echo >lacking/libopenblas.so.0
	like "$(LD_LIBRARY_PATH=$T/lacking list backends cpu)" '^cpu,0,.*libopenblas' \
		"without OpenBLAS the backend cpu says so"
	like "$(LD_LIBRARY_PATH=$T/lacking list devices ref)" '^ref,0' "and ref is still there"
	like "$(list devices cpu)" '^cpu,0,.*,cpu,[0-9]+,[0-9]+,.*OpenBLAS' "else it tells its core type"
	status 2 "threads are a number" run -b cpu -P threads=two
	status 2 "and at least one" run -b cpu -P threads=0
	narrow=$(OPENBLAS_CORETYPE=Nehalem list devices cpu)
	if grep -q avx2 /proc/cpuinfo; then
		like "$narrow" Nehalem "which the environment may set"
		like "$narrow" 'OPENBLAS_CORETYPE' "and a warning is told where that is too narrow"
		like "$(OPENBLAS_CORETYPE=Nehalem run -b cpu 2>&1 >/dev/null)" 'backend cpu: .*OPENBLAS_CORETYPE' \
			"also by bench-run"
	fi
fi

# Too little address space: OpenBLAS asks for its buffers for ever where it does not get them.
if [ -e "$BUILD/lib/benchutils/backend-cpu.so" ] &&
	skip_unless unsanitized "a limit of the address space ends runs on the processors"; then
	# limited KB ARG...: the status of a run on the processors, and how many lines say what went wrong
	limited() {
		kb=$1
		shift
		timeout -s KILL 20 prlimit --as="${kb}000" bench-run -q -e none -r 1 -w 0 --processes 1 -k gemm -b cpu \
			-P m=256 -P n=256 -P k=256 -P threads=2 "$@" >one.csv 2>err
		echo "$?$(wc -l <err)"
	}
	for kb in 100000 160000 300000; do
		like "$(limited $kb)" '^(00|11|21)$' "a run of float32 with $kb kB of address space ends"
	done
	is "$(limited 300000 -P dtype=float64)" 11 "a run of float64 with 300000 kB of address space fails with one line"
	like "$(cat err one.csv)" 'OpenBLAS needs [0-9]+ MiB of address space for 2 threads' \
		"the line says that OpenBLAS needs more address space"
fi

# OpenCL: PoCL alone, nothing, and two platforms.
if [ -e "$BUILD/lib/benchutils/backend-opencl.so" ]; then
	like "$(OCL_ICD_VENDORS=$T/none list backends opencl)" '^opencl,0,.*platform' \
		"without a platform opencl says so"
	if skip_unless /etc/OpenCL/vendors/pocl.icd "PoCL is a device"; then
		like "$(OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd list devices opencl)" \
			'^opencl,0,.*,cpu,.*Portable Computing Language' "PoCL is a device"
	fi
	if skip_unless /etc/OpenCL/vendors/mesa.icd "two platforms"; then
		like "$(list backends opencl)" '^opencl,[1-9]' "with a second platform PoCL is still there"
		like "$(OCL_ICD_VENDORS=/etc/OpenCL/vendors/mesa.icd list backends opencl)" '^opencl,0,.' \
			"a platform without devices says why"
	fi
fi
done_testing
