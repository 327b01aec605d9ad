#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-list reports backends that work, are invalid or lack a library, and their devices; bench-run
# chooses a device by -b and -P device.
# waits
. "${0%/*}/../lib/tap.sh"

plugins=$BUILD/tests/plugins
list() { timeout 100 bench-list --csv "$@" 2>err; }
# column NAME: prints a column of the table on standard input
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["metric"] != "rows" { print $at[name] }'; }
# run OPTIONS: measures a small kernel quickly
run() { timeout 100 bench-run -e none --no-peaks -r 1 -w 0 --processes 1 -k gemm -P m=16 -P n=16 -P k=16 "$@"; }

# A plug-in whose probe hangs, until a time limit: its result is looked at last.
{
	began=$(date +%s)
	BENCH_BACKEND_PATH=$plugins timeout 100 bench-list --csv backends hanging >hanging.csv 2>hanging.err
	echo $(($(date +%s) - began)) >hanging.s
} &
hanging=$!

list backends >backends.csv
is "$(head -n 1 backends.csv)" backend,devices,status,path,formats "bench-list backends prints a table"
is "$(sed -n 2p backends.csv)" ref,1,ok,, "bench-list prints the backend ref first"
list devices >devices.csv
is "$(head -n 1 devices.csv | cut -d, -f 1-5)" backend,index,device,type,units "bench-list devices prints a table"
like "$(cat devices.csv)" '^ref,0,reference,cpu,1,[0-9]+,float64 int8,' "bench-list prints the dtypes of a device"
status 1 "bench-list exits with 1 if no backend has the name" timeout 100 bench-list backends nonesuch
status 2 "bench-list rejects functions and kernels in one table" bench-list functions,kernels
is "$(list backends,devices,kernels,models | grep -c -e ^backend, -e ^kind,)" 4 \
	"bench-list prints one table for each kind"

# Invalid plug-ins are rejected with reasons, and do not affect others.
reason() { BENCH_BACKEND_PATH=$plugins list backends "$1" | cut -d, -f 3; }
like "$(reason other_abi)" 'other_abi.*ABI is [0-9]+ and' "a plug-in with another ABI is rejected"
like "$(reason no_sync)" "sync" "a plug-in without a required hook is rejected with the name of the hook"
like "$(reason no_symbol)" bench_backend "a shared object without bench_backend is rejected"
like "$(reason crashing)" 'devices ended badly: failed:signal=(SEGV|SIGSEGV|ABRT|SIGABRT)' "a plug-in whose probe crashes is reported"
BENCH_BACKEND_PATH=$plugins run -b ref >ok.csv 2>err
is "$?" 0 "bench-run measures on a backend although other plug-ins are invalid"
status 2 "bench-run fails if -b names an invalid plug-in" \
	env BENCH_BACKEND_PATH="$plugins" timeout 100 bench-run -k gemm -b no_sync
like "$(cat "$T/.err")" "backend 'no_sync' is unavailable: .*sync" "bench-run reports why an invalid plug-in is unavailable"

status 2 "bench-run fails if -b names an unknown backend" bench-run -k gemm -b nonesuch
like "$(cat "$T/.err")" "^bench-run: unknown backend 'nonesuch' .there are: auto, " \
	"bench-run reports an unknown backend in one line"
for family in cuda rocm mps openvino qnn tpu webgpu webnn; do
	run -b $family >one.csv 2>err
	case $? in
	0) like "$(cat err one.csv)" "$family" "-b $family finds a device and names it" ;;
	*) like "$(cat err)" "^bench-run: backend '$family' is unavailable: ." "-b $family reports why it has no device" ;;
	esac
done
run >auto.csv 2>err
like "$(cat err)" '^bench-run: backend auto: [a-z]+ \(.*\)$' "-b auto reports the chosen backend"
is "$(run -q 2>&1 >/dev/null)" '' "-b auto prints nothing with -q"
status 2 "bench-run rejects -b for commands" bench-run -b ref -- true
like "$(cat "$T/.err")" '-b requires kernels' "bench-run reports why it rejects -b for commands"

run -b ref -P device=0 >one.csv 2>err
is "$(column device <one.csv | sort -u)" reference "-P device selects a device by number"
is "$(run -b ref -P device=REFER | column device | sort -u)" reference "-P device selects a device by a part of its name"
status 2 "bench-run rejects the number of a missing device" bench-run -k gemm -b ref -P device=7
like "$(cat "$T/.err")" "backend 'ref' has no device '7'" "bench-run reports the missing device"
run -b ref -P device=0+0 -J 1,2 -P dtype=float64 >one.csv
is "$(column device <one.csv | sort -u | tr '\n' ';')" "reference;reference + reference;" \
	"workers use several devices in turn, and the column device names them"
like "$(column metric <one.csv)" speedup "workers on several devices have a speed-up"
status 2 "bench-run rejects -P device that is given twice" bench-run -k gemm -b ref -P device=0 -P device=0
like "$(cat "$T/.err")" 'device is given twice' "bench-run reports the device that is given twice"

# A library that a plug-in needs is missing.
if [ -e "$BUILD/lib/benchutils/backend-cpu.so" ]; then
	mkdir lacking
	echo >lacking/libopenblas.so.0
	like "$(LD_LIBRARY_PATH=$T/lacking list backends cpu)" '^cpu,0,.*libopenblas' \
		"the backend cpu reports that OpenBLAS is missing"
	like "$(LD_LIBRARY_PATH=$T/lacking list devices ref)" '^ref,0' "the backend ref has its device without OpenBLAS"
	like "$(list devices cpu)" '^cpu,0,.*,cpu,[0-9]+,[0-9]+,.*OpenBLAS' "the backend cpu reports the core type of OpenBLAS"
	status 2 "bench-run rejects threads that are not a number" run -b cpu -P threads=two
	status 2 "bench-run rejects 0 threads" run -b cpu -P threads=0
	narrow=$(OPENBLAS_CORETYPE=Nehalem list devices cpu)
	if grep -q avx2 /proc/cpuinfo; then
		like "$narrow" Nehalem "the environment sets the core type of OpenBLAS"
		like "$narrow" 'OPENBLAS_CORETYPE' "bench-list warns of a core type with narrower vectors than the processor has"
		like "$(OPENBLAS_CORETYPE=Nehalem run -b cpu 2>&1 >/dev/null)" 'backend cpu: .*OPENBLAS_CORETYPE' \
			"bench-run warns of a core type with narrower vectors than the processor has"
	fi
fi

# Too little address space: OpenBLAS requests its buffers forever if it does not get them.
if [ -e "$BUILD/lib/benchutils/backend-cpu.so" ] &&
	skip_unless unsanitized "a limit of the address space ends runs on the processors"; then
	# limited KB ARG...: prints the status of a run on the processors and the number of lines of its messages
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
		"bench-run reports that OpenBLAS needs more address space"
fi

# OpenCL: PoCL alone, nothing, and two platforms.
if [ -e "$BUILD/lib/benchutils/backend-opencl.so" ]; then
	like "$(OCL_ICD_VENDORS=$T/none list backends opencl)" '^opencl,0,.*platform' \
		"the backend opencl reports that there is no platform"
	if skip_unless /etc/OpenCL/vendors/pocl.icd "PoCL is found as a device"; then
		like "$(OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd list devices opencl)" \
			'^opencl,0,.*,cpu,.*Portable Computing Language' "PoCL is found as a device"
	fi
	if skip_unless /etc/OpenCL/vendors/mesa.icd "an OpenCL platform without devices is reported"; then
		like "$(list backends opencl)" '^opencl,[1-9]' "PoCL is found in addition to a second OpenCL platform"
		like "$(OCL_ICD_VENDORS=/etc/OpenCL/vendors/mesa.icd list backends opencl)" '^opencl,0,.' \
			"an OpenCL platform without devices is reported"
	fi
fi

wait $hanging
like "$(cut -d, -f 3 hanging.csv)" 'did not end within 15 s' "a plug-in whose probe hangs is reported"
is "$(awk '{ print ($1 < 40) }' hanging.s)" 1 "a probe that hangs is killed at the time limit"
ok "no process of a probe that hangs is left" wait_long gone 'bench-compute probe hanging'
BENCH_BACKEND_PATH=$plugins timeout -s KILL 2 bench-list --csv backends hanging >/dev/null 2>&1
ok "a probe ends if bench-list is killed" wait_long gone 'bench-compute probe hanging'
# Too few descriptors and too little memory, which a sanitizer would need itself
if skip_unless unsanitized "the reason is reported why ref cannot run"; then
	for limit in 4 5 6 7; do
		prlimit --nofile=$limit bench-run -q -r 1 -k add -b ref 3>&- 4>&- 5>&- 6>&- 7>&-
	done >out 2>err
	is "$(grep -c 'ref.* is unavailable: .*devices: .*Too many open files (see ulimit -n)$' err) $(wc -l <err)" '4 4' \
		"the reason is reported why the search for devices cannot start"
	like "$(prlimit --as=100000000 bench-run -q -e none -r 1 -k add -b ref 2>&1 >out)" \
		'exit=1: ref: cannot allocate 134217728 bytes: out of memory' "ref reports that memory is exhausted"
fi
done_testing
