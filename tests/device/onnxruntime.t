#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The backend onnxruntime finds the library of ONNX Runtime, lists its execution providers as devices, and
# runs models on them.
. "${0%/*}/../lib/tap.sh"

list() { timeout 100 bench-list --csv "$@" 2>err; }
reason() { list backends onnxruntime | cut -d, -f 3-; }

like "$(reason)" '^"?ONNX Runtime is not found: install .*, or set BENCH_ONNXRUNTIME to the path of its library' \
	"the backend onnxruntime reports what to install if there is no library"
like "$(BENCH_ONNXRUNTIME=none reason)" 'BENCH_ONNXRUNTIME is none' \
	"the backend onnxruntime is off if BENCH_ONNXRUNTIME is none"
like "$(BENCH_ONNXRUNTIME=/nonesuch reason)" 'BENCH_ONNXRUNTIME: /nonesuch does not exist' \
	"the backend onnxruntime reports a library that does not exist"
echo '' | gcc -shared -x c -o other.so -
mkfifo pipe
like "$(BENCH_ONNXRUNTIME=$PWD/pipe reason)" 'pipe is not a file or directory' "ONNX Runtime is not loaded from a FIFO"
like "$(BENCH_ONNXRUNTIME=$T/other.so reason)" "$T/other.so has no OrtGetApiBase: it is not ONNX Runtime" \
	"the backend onnxruntime rejects another library"
packages=venv/lib/python3.9/site-packages/onnxruntime/capi
mkdir -p $packages
for version in 1.9.2 1.20.0 1.3.10; do cp other.so $packages/libonnxruntime.so.$version; done
like "$(VIRTUAL_ENV=$T/venv reason)" "$packages/libonnxruntime.so.1.20.0 has no" \
	"the backend onnxruntime finds the newest library of a virtual environment"
mkdir venv/bin
printf '#!/bin/sh\n' >venv/bin/python3
chmod 755 venv/bin/python3
like "$(PATH=$T/venv/bin:$PATH && reason)" \
	'libonnxruntime.so.1.20.0 has no' "the backend onnxruntime finds the library of the first python3 in PATH"
rm -r venv/bin
chmod o+w venv/lib
like "$(VIRTUAL_ENV=$T/venv reason)" "is not loaded, because everybody can write to $T/venv/lib; to load it" \
	"a library of a virtual environment that others can change is rejected"
like "$(VIRTUAL_ENV=$T/venv BENCH_ONNXRUNTIME=$T/$packages reason)" 'has no OrtGetApiBase' \
	"a library that BENCH_ONNXRUNTIME names is loaded even if others can change it"
models=$ROOT/tests/device/engine_models
# engine DEVICE MODEL STEP...: prints what the steps print, and then the message of a failure
engine() {
	device=$1 model=$2
	shift 2
	timeout 100 "$BUILD/tests/engine_run" "$BUILD/lib/benchutils/backend-onnxruntime.so" "$device" "$model" "$@" 2>&1
}
# cpu MODEL STEP...: the same, on the processor with one thread
cpu() {
	file=$models/$1.onnx
	shift
	engine cpu "$file" -t1 "$@"
}
# lines TEXT: the text, with semicolons instead of ends of lines
lines() { printf '%s' "$1" | tr '\n' ';'; }

# A fake of ONNX Runtime 1.17 with the providers of the processor and of CUDA.
fake=$BUILD/tests/fake_onnxruntime
[ -d "$fake" ] || { echo "1..0 # SKIP no $fake; make tests builds it" && exit; }
export BENCH_ONNXRUNTIME="$fake"
like "$(FAKE_ORT_VERSION=1.16.3 reason)" '^ONNX Runtime 1.16.3 is too old: 1.17 or a later 1.x is needed \(.*so.1.17.0\)' \
	"a version of ONNX Runtime that is too old is rejected"
like "$(FAKE_ORT_VERSION=2.20.0 reason)" '^ONNX Runtime 2.20.0 is too new: 1.17 or a later 1.x is needed ' \
	"a version of ONNX Runtime that is too new is rejected"
like "$(FAKE_ORT_VERSION=1.99.0 reason)" '^ONNX Runtime 1.99.0 has no interface of version 24 ' \
	"a version of ONNX Runtime that has no older interface is rejected"
like "$(FAKE_ORT_FAILS="env" reason)" '^ONNX Runtime cannot start: it was to fail,' \
	"a message of ONNX Runtime with two lines becomes one"
is "$(list devices onnxruntime | cut -d, -f 2,8- | sed 1d | cut -d, -f 1-5)" "0,onnxruntime:cpu,ok,CPUExecutionProvider,\
onnxruntime 1.17.0
1,onnxruntime:cuda,ok,CUDAExecutionProvider,onnxruntime 1.17.0" "the providers of an old version of ONNX Runtime are devices"
like "$(FAKE_ORT_FAILS=cuda list devices onnxruntime)" ',onnxruntime:cuda,cuda: it was to fail,' \
	"a provider that is listed and cannot be created is an unusable device with the reason"
is "$(lines "$(engine cuda "$models/add.onnx" x=3 run y facts | grep -v threads)")" \
	"y:1=6;engine=onnxruntime 1.17.0;cache=off" "an old version of ONNX Runtime does not report operations that fall back"
is "$(FAKE_ORT_FAILS=cuda engine cuda "$models/add.onnx" x=3 run)" 'cuda: it was to fail' \
	"a model on a provider that cannot be created fails with the reason"
is "$(FAKE_ORT_FAILS=session cpu add x=3 run)" 'it was to fail' "a model that cannot be loaded fails with the reason"
is "$(lines "$(FAKE_ORT_FAILS=run cpu add x=3 run)")" 'it was to fail' "a run that fails has the reason"
# tf32 MODEL: prints the status and the error of a model, which fails if TF32 is allowed
tf32() {
	FAKE_ORT_FAILS=tf32 bench-run -q -e none -r 1 --processes 1 -w 0 --sample-time 1ms -b onnxruntime:cuda -M "$1" 2>&1 |
		grep -Eo 'wall,ns,[0-9.]*,[a-z]+|TF32 is allowed$' | sed 's/.*,//' | sort -u | paste -sd ' '
}
cat >double.csv <<-END
	op,out,in,args
	model,double,y = 2 x,
	symbol,n,,value=1
	input,x,,sizes=n
	scale,y,x,alpha=2
	output,,y,
END
is "$(tf32 ./double.csv)" ok "engines compute lists in float32 without TF32"
is "$(NVIDIA_TF32_OVERRIDE=1 tf32 ./double.csv)" unsupported \
	"a variable of the environment that controls TF32 is kept"
is "$(tf32 "$models/add.onnx")" 'TF32 is allowed' "engines run model files with TF32 where that is their default"
unset BENCH_ONNXRUNTIME

skip_unless onnxruntime "the backend onnxruntime runs models" || done_testing

use_engines
export BENCH_QNN=none
list devices onnxruntime >devices.csv
like "$(sed -n 2p devices.csv)" '^onnxruntime,0,CPU.*,cpu,[0-9]+,.*CPUExecutionProvider,onnxruntime 1\.' \
	"the first device of the backend onnxruntime is the processor"
is "$(cat err)" "" "the search for the devices of ONNX Runtime prints nothing"

is "$(lines "$(cpu add ports x=1 y=2 run z)")" \
	"input x float32 1;input y float32 1;output z float32 1;z:1=3" "a model with two inputs runs"
is "$(cpu add -b x=1 y=2 run x=2 run z)" "z:1=4" "a model in memory runs again with another input"
like "$(lines "$(cpu add facts)")" '^engine=onnxruntime 1\.[0-9.]+;threads=1;cache=off;fallback_ops=0$' \
	"a model on the processor reports its engine, threads, cache and fallback"
is "$(engine cpu "$models/add.onnx" facts | grep ^threads)" "threads=$(nproc)" \
	"a model has one thread for each available processor by default"
is "$(engine cpu "$models/add.onnx" -t1 tasks),$(engine cpu "$models/add.onnx" -t3 tasks)" tasks=1,tasks=3 \
	"ONNX Runtime starts no threads except those that are configured"
is "$(lines "$(cpu mlp ports)")" "input x float32 batch 8;output y float32 batch 4" "an open dimension has its symbol"
is "$(lines "$(cpu mlp -dbatch=3 ports)")" "input x float32 3 8;output y float32 3 4" "an open dimension can be fixed"
first=$(cpu mlp x:3x8=#24 run y)
like "$first" '^y:3x4=' "an output of open size has the size of its run"
is "$(cpu mlp -dbatch=3 x=#24 run y)" "$first" "a fixed dimension does not change the results"
is "$(cpu mlp -ooptimization=none x:3x8=#24 run y | cut -c 1-12)" "$(echo "$first" | cut -c 1-12)" \
	"a model without optimization has the same results"
is "$(lines "$(cpu types ports | grep output)")" "output whole int8 3;output not bool 1;output places int64 1 \
found;output half float16 3;output text string 3" "outputs of several types are described, except those that are no tensors"
is "$(lines "$(cpu types i=-3,0,7 b=1 run whole not places half)")" \
	"whole:3=-3,0,7;not:1=0;places:1x2=0,2;half:3=49664,0,18176" "outputs of several types are read"
is "$(lines "$(cpu types i=1,2,3 b=0 run places i=0,0,9 run places)")" "places:1x3=0,1,2;places:1x1=2" \
	"the size of an output may differ between runs"
is "$(lines "$(cpu states 'next_sum>sum' 'next_list>list' x=1,2 sum=10,20 list:1=5 run next_sum next_list \
	run next_sum next_list sum=0,0 run next_sum next_list)")" \
	"next_sum:2=11,22;next_list:3=5,1,2;next_sum:2=12,24;next_list:5=5,1,2,1,2;next_sum:2=1,2;next_list:7=5,1,2,1,2,1,2" \
	"states of fixed and of growing size are carried from run to run, and can be set again"
is "$(lines "$(cpu states other 'next_sum>sum' 'next_list>list' x=1,2 other x=1,2 sum=10,20 list:1=5 run \
	'next_sum>>sum' 'next_list>>list' other run next_sum next_list run next_sum next_list \
	other sum=100,200 list:1=7 run 'next_sum>>sum' 'next_list>>list' other run next_sum next_list \
	sum=0,0 run next_sum run next_sum next_list)")" \
	"next_sum:2=12,24;next_list:5=5,1,2,1,2;next_sum:2=13,26;next_list:7=5,1,2,1,2,1,2;\
next_sum:2=102,204;next_list:5=7,1,2,1,2;next_sum:2=1,2;next_sum:2=2,4;next_list:9=7,1,2,1,2,1,2,1,2" \
	"a model continues from the states of another, again and again"
is "$(lines "$(cpu states x=1,2 sum=10,20 list:1=5 run 'next_sum>>sum' 'next_list>>list' other x=1,2 sum=3,4 run next_sum \
	other run 'next_list>>list' 'next_sum>>sum' other run next_sum next_list sum=5,6 list:1=9 run next_sum next_list)")" \
	"next_sum:2=4,6;next_sum:2=12,24;next_list:5=5,1,2,1,2;next_sum:2=6,8;next_list:3=9,1,2" \
	"an input that has had the elements of another model can be set again"
is "$(lines "$(cpu states other 'next_sum>sum' other x=1,2 sum=10,20 list:1=5 run 'next_sum>>sum' 'next_list>>list' \
	run other sum=3,4 list:3=6,7,8 other next_sum next_list)")" "next_sum:2=11,22;next_list:3=5,1,2" \
	"an input that is set again does not change the outputs of another model"
is "$(lines "$(cpu states other 'next_sum>sum' other x=1,2 sum=10,20 list:1=5 run 'next_sum>>sum' 'next_list>>list' \
	other x=1,2 run run next_list list:1=9 run next_list run next_list next_sum)")" \
	"next_list:5=5,1,2,1,2;next_list:3=9,1,2;next_list:3=9,1,2;next_sum:2=15,30" \
	"an input that is set again is that of all later runs"
is "$(lines "$(cpu mlp -p -dbatch=3 x=#24 ops)")" \
	"fused first/MatMulAddFusion FusedGemm timed;second MatMul timed" "the operations of a model have times"
is "$(lines "$(cpu mlp -p -dbatch=3 -ooptimization=none x=#24 run ops y)")" \
	"first MatMul timed;bias Add timed;act Relu timed;second MatMul timed;$(cpu mlp -ooptimization=none x:3x8=#24 run y)" \
	"the times are those of the chosen optimization"
mkdir temporary
is "$(TMPDIR=$T/temporary cpu add -p x=1 y=2 ops && ls -A temporary)" "sum Add timed" \
	"no file of a profile or of ONNX Runtime's telemetry is left"

# Each mistake gets one line.
# mistake MESSAGE DESCRIPTION MODEL STEP...: the message must be the last and only line of the failure
mistake() {
	message=$1 what=$2
	shift 2
	is "$(cpu "$@")" "$message" "$what"
}
mistake 'the input y has no elements' "a missing input is reported with its name" add x=1 run
mistake 'the input x has the shape [?, 8], not [3, 7]' "a wrong shape is reported" mlp x:3x7=#21
mistake 'the input x has the shape [?, 8], not [8]' "a wrong number of dimensions is reported" mlp x:8=#8
mistake 'the input x needs 96 bytes of float32, not 84' "a wrong number of bytes is reported" mlp x:3x8=#21
mistake 'the output text has strings, which are not supported' "an output of strings is reported" \
	types i=1,2,3 b=1 run text
mistake 'the model has not run' "an output before the first run is reported" add z
mistake 'the model has not run' "an output that another model takes before the first run is reported" \
	states 'next_sum>>sum'
mistake 'another model has the elements of the output next_sum' "an output that another model has taken is reported" \
	states x=1,2 sum=10,20 list:1=5 run 'next_sum>>sum' next_sum
mistake "no input has an open dimension 'batsch'" "an unknown dimension is reported" mlp -dbatsch=3
mistake "dimension batch: '3x' is not a number from 0" "a size that is no number is reported" mlp -dbatch=3x
mistake "option optimization: 'most' is not one of none basic extended layout all" "a wrong value of an option is reported" \
	add -ooptimization=most
mistake "option inter_op_threads: '0' is not a number from 1 to 4096" "a wrong number as an option is reported" \
	add -ointer_op_threads=0
like "$(cpu add -odep=1)" "^unknown option 'dep': there are optimization, " "an unknown option is reported"
like "$(cpu add -osession.disable_cpu_fallback=1)" "has no option 'session.disable_cpu_fallback'; config.session" \
	"an unknown option of the library is reported"
is "$(cpu add -osession.disable_prepacking=1 -oconfig.new.option=1 -oexecution_mode=parallel -omemory_pattern=off \
	-ocpu_arena=off x=1 y=2 run z)" z:1=3 "known options of the library, and any with config., are set"
mistake 'the device cpu has no options such as provider.x' "options of a provider are rejected on the processor" \
	add -oprovider.x=1
head -c 500 "$models/mlp.onnx" >truncated.onnx
echo text >text.onnx
: >empty.onnx
is "$(engine cpu truncated.onnx)" 'Protobuf parsing failed.' "a truncated file is reported in one line"
is "$(engine cpu text.onnx)" 'Protobuf parsing failed.' "a file that is no model is reported in one line"
is "$(engine cpu empty.onnx)" 'No graph was found in the protobuf.' "an empty file is reported in one line"
is "$(engine cpu nonesuch.onnx)" 'No such file or directory' "a missing file is reported in one line"
is "$(engine cpu .)" 'not a regular file' "a directory instead of a model is reported in one line"

# A provider that is installed and does not work.
mkdir -p more/lib/python3/site-packages/onnxruntime_ep_webgpu
ln -s "$VENV"/lib/python3*/site-packages/onnxruntime more/lib/python3/site-packages
cp other.so more/lib/python3/site-packages/onnxruntime_ep_webgpu/libonnxruntime_providers_webgpu.so
like "$(VIRTUAL_ENV=$T/more list devices onnxruntime)" \
	'^onnxruntime,1,webgpu,.*onnxruntime:webgpu,"?Failed .*libonnxruntime_providers_webgpu.so' \
	"an installed provider that cannot be loaded is an unusable device with the reason"
like "$(VIRTUAL_ENV=$T/more engine webgpu "$models/add.onnx")" '^Failed .*libonnxruntime_providers_webgpu.so' \
	"a model on a provider that cannot be loaded fails with the reason"

skip_unless onnxruntime-qnn "a quantized model runs on the emulator of QNN" || done_testing
unset BENCH_QNN
like "$(list devices onnxruntime | grep qnn)" \
	'^onnxruntime,[0-9]+,qnn .emulated.,accelerator,.*,"onnxruntime 1[0-9.]*, provider [0-9.]+",,emulated by libQnnHtp.so' \
	"the device qnn warns that it is emulated"
strict=-osession.disable_cpu_ep_fallback=1
engine qnn "$models/quantized.onnx" $strict x=#64 run y facts >qnn.txt
like "$(cat qnn.txt)" '^fallback_ops=0$' "no operation of a quantized model falls back with session.disable_cpu_ep_fallback"
like "$(cat qnn.txt)" '^emulated=' "the model reports that it is emulated"
unlike "$(cat qnn.txt)" LIBNATIVE "what the library of the emulator prints is discarded"
cpu quantized x=#64 run y >cpu.txt
is "$(cat cpu.txt qnn.txt | grep ^y: | cut -d= -f 2 | awk -F, 'NR == 1 { n = split($0, want) }
	NR == 2 { for (i = 1; i <= NF; i++) { d = ($i - want[i]) * 32; if (d < 0) d = -d; far += !(d <= 2.001) } print n, NF, far + 0 }')" \
	"32 32 0" "the results of QNN are within two quantization steps of those of the processor"
is "$(engine qnn "$models/quantized.onnx" facts | grep fallback)" fallback_ops=2 \
	"operations that fall back to the processor are counted"
like "$(engine qnn "$models/mlp.onnx" facts)" \
	'^qnn runs none of the [0-9]+ operations of this model: all would run on the processor$' \
	"a provider that runs nothing of a model is an error"
like "$(engine qnn "$models/quantized.onnx" -oprovider.backend_path=/nonesuch)" \
	'^qnn runs none of .*; it reports: .*/nonesuch' "a provider that cannot start is an error with its reason"
like "$(engine qnn "$models/quantized.onnx" -oprovider.nonesuch_option=1)" \
	"^the provider qnn has no option 'nonesuch_option'" "an unknown option of a provider is reported"
done_testing
