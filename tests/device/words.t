#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run -b NAME:WORD selects a device of a backend, and bench-list shows the value to use. Families of devices
# lead to the best backend that has such a device, or to the reasons why none has. The backends are fakes whose
# devices are listed in FAKE_NAME.
. "${0%/*}/../lib/tap.sh"

mkdir plugins
for name in hip listed onnxruntime openvino; do
	cp "$BUILD/tests/plugins/backend-$name.so" plugins/
done
# In addition to them, only the programs and their helpers: neither plug-ins of the build nor OpenCL.
mkdir -p built/bin built/lib/benchutils
cp "$BUILD/bin/bench-run" "$BUILD/bin/bench-list" built/bin/
cp -r "$BUILD/libexec" "$BUILD/share" built/
PATH=$T/built/bin:$PATH
BENCH_BACKEND_PATH=$T/plugins
export PATH BENCH_BACKEND_PATH
run() { timeout 60 bench-run -q -e none -r 1 -w 0 --processes 1 --sample-time 10us -k gemm -P m=4 -P n=4 -P k=4 "$@"; }
model() { timeout 60 bench-run -e none -r 1 -w 0 --processes 1 -M vit_b_16 -P layers=1 -P image=32 "$@"; }
# cells COLUMN... <FILE: these of each row of wall, joined
cells() { awk -F, -v names="$*" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
	$at["metric"] == "wall" { line = ""
		for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") $at[name[i]]
		print line }' | sort -u | paste -sd';'; }
# why ARG...: the message of a run that measures nothing
why() { "$@" 2>&1 >/dev/null | sed 's/^bench-run: //'; }

FAKE_LISTED='cpu:cpu:First device:;NPU:accelerator:Second device:its driver is missing;:gpu:Third card:'
export FAKE_LISTED
bench-list --csv devices listed >devices.csv
is "$(cut -d, -f1,3,8,9 devices.csv | paste -sd';')" \
	'backend,device,select,status;listed,First device,listed:cpu,ok;listed,Second device,listed:NPU,its driver is missing;listed,Third card,listed:2,ok' \
	"bench-list devices shows the value of -b for each device, and why a device cannot be used"
is "$(bench-list --csv backends listed | sed 1d | cut -d, -f1-3)" listed,2,ok "bench-list backends counts the devices that can be used"
is "$(FAKE_LISTED='a:cpu:A:broken' bench-list --csv backends listed | sed 1d | cut -d, -f1-3)" listed,0,broken \
	"bench-list backends shows the reason if no device can be used"

# A run on a fake fails when it opens the device, which is then in the rows.
run -b listed:CPU >out.csv 2>err
is "$(cells backend device <out.csv)" 'listed First device' "-b NAME:WORD selects a device by its word in any case"
run -b listed:third >out.csv 2>err
is "$(cells backend device <out.csv)" 'listed Third card' "-b NAME:WORD selects a device by a part of its name"
run -b listed:2 >out.csv 2>err
is "$(cells backend device <out.csv)" 'listed Third card' "-b NAME:WORD selects a device by its number"
status 0 "-b NAME:WORD measures" run -b ref:0
run -b listed -P device=npu,cpu >out.csv 2>err
is "$(cells device status <out.csv)" 'First device failed:exit=1;npu skipped' "-P device selects a device by its word"
FAKE_LISTED='a:cpu:A:broken;b:cpu:B:' run -b listed >out.csv 2>err
is "$(cells device <out.csv)" B "bench-run chooses the first device that can be used"
status 2 "bench-run exits with 2 if the selected device cannot be used" run -b listed:npu
is "$(cat .err)" "bench-run: device 'NPU' of backend 'listed' is unavailable: its driver is missing" \
	"bench-run reports why the selected device cannot be used"
status 1 "a device in a list that cannot be used is skipped" run -b ref,listed:npu,listed:gpu
is "$(cells backend device status <.out)" 'listed gpu skipped;listed npu skipped;ref reference ok' \
	"devices that are missing or cannot be used are skipped rows, and the others are measured"
like "$(cat .err)" "gemm: skipped: backend 'listed' has no device 'gpu'; did you mean cpu or NPU[?] .there are: cpu, NPU, 'Third card'; see bench-list devices" \
	"bench-run reports an unknown word with the words that exist"
status 2 "bench-run rejects an unknown backend in a list" run -b ref,lsted:cpu,listed
is "$(wc -l <.err) $(sed 's/ .there are.*//' .err)$(cat .out)" "1 bench-run: unknown backend 'lsted'; did you mean listed?" \
	"bench-run reports an unknown backend in a list before it measures the others"
status 1 "a backend that this build lacks is skipped" run -b ref,opencl
like "$(cat .err)" "backend 'opencl' is unavailable: this build has no plug-in 'opencl' .install ocl-icd-opencl-dev" \
	"bench-run reports how to build a backend that this build lacks"
status 2 "bench-run rejects -P device if -b has a word" run -b listed:cpu,ref -P device=0
is "$(cat .err)" 'bench-run: -b listed:cpu and -P device both select devices; use one of them' \
	"bench-run reports that -b and -P device both select devices"

# Families: the native backend, then engines and OpenCL.
FAKE_HIP='0:gpu:AMD card:' && export FAKE_HIP
run -b rocm >out.csv 2>err
is "$(cells backend device <out.csv)" 'hip AMD card' "-b rocm selects hip"
run -b rocm:0 >out.csv 2>err
is "$(cells backend device <out.csv)" 'hip AMD card' "-b rocm:0 selects a device of hip"
FAKE_ONNXRUNTIME='cpu:cpu:ORT:;cuda:gpu:ORT CUDA:;migraphx:gpu:ORT MIGraphX:;coreml:gpu:ORT CoreML:;openvino:cpu:ORT OpenVINO:'
FAKE_ONNXRUNTIME="$FAKE_ONNXRUNTIME;qnn:cpu:ORT QNN:;webgpu:gpu:ORT WebGPU:"
FAKE_OPENVINO='CPU:cpu:OV CPU:;GPU:gpu:OV GPU:no driver;NPU:accelerator:OV NPU:'
export FAKE_ONNXRUNTIME FAKE_OPENVINO
for pair in rocm=hip cuda=onnxruntime mps=onnxruntime openvino=openvino qnn=onnxruntime webgpu=onnxruntime webnn=openvino; do
	family=${pair%=*} backend=${pair#*=}
	model -b "$family" --strict >out.csv 2>err
	case $family in
	"$backend") unlike "$(cat err)" 'through' "-b $family is $backend" ;;
	*) like "$(cat err)" "^bench-run: backend $family: through $backend \\(" "-b $family selects $backend and reports this" ;;
	esac
done
like "$(rm plugins/backend-hip.so; model -b rocm 2>&1 >/dev/null)" 'backend rocm: through onnxruntime \(ORT MIGraphX\)' \
	"-b rocm selects a device of ONNX Runtime in a build without hip"
like "$(rm plugins/backend-openvino.so; model -b openvino 2>&1 >/dev/null)" 'backend openvino: through onnxruntime \(ORT OpenVINO\)' \
	"-b openvino selects the device of ONNX Runtime if the plug-in is missing"

FAKE_ONNXRUNTIME='cpu:cpu:ORT:;qnn:cpu:ORT QNN:the library of the provider is not found;cuda:gpu:C:no GPU'
like "$(why model -b qnn)" "^backend 'qnn' is unavailable: Qualcomm's accelerators; onnxruntime:qnn: the library of the provider is not found; install .*onnxruntime-qnn" \
	"-b qnn reports why ONNX Runtime lacks it, and what to install"
like "$(why model -b rocm)" "^backend 'rocm' is unavailable: this build has no plug-in 'hip' \(run make again\)" \
	"-b rocm reports that the plug-in for hip is missing"
like "$(why model -b cuda)" "^backend 'cuda' is unavailable: this build has no plug-in 'cuda' \(run make again\); onnxruntime:cuda: no GPU" \
	"-b cuda reports the reasons of the plug-in and of ONNX Runtime"
like "$(why model -b tpu)" "^backend 'tpu' is unavailable: Google's accelerators, .*no backend for this" "-b tpu reports that there is no backend"
FAKE_ONNXRUNTIME=
like "$(why model -b webgpu)" "^backend 'webgpu' is unavailable: .*; onnxruntime: it has no library; install " \
	"-b webgpu reports that ONNX Runtime is missing"
done_testing
