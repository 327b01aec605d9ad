#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The backend openvino finds the library of OpenVINO, lists its devices, and runs models on them.
. "${0%/*}/../lib/tap.sh"

list() { timeout 100 bench-list --csv "$@" 2>err; }
reason() { list backends openvino | cut -d, -f 3; }

like "$(BENCH_OPENVINO=none reason)" 'BENCH_OPENVINO is none' \
	"the backend openvino is off if BENCH_OPENVINO is none"
like "$(BENCH_OPENVINO=/nonesuch reason)" 'BENCH_OPENVINO: /nonesuch does not exist' \
	"the backend openvino reports a library that does not exist"
mkdir empty
like "$(BENCH_OPENVINO=$T/empty reason)" "BENCH_OPENVINO: the directory $T/empty has no" \
	"the backend openvino reports a directory without the library"
echo '' | gcc -shared -x c -o other.so -
like "$(BENCH_OPENVINO=$T/other.so reason)" 'other.so has no ov_get_openvino_version: OpenVINO 2023.3 or later' \
	"the backend openvino rejects a library without a function that it needs"
mkdir -p intel/runtime/lib/intel64
cp other.so intel/runtime/lib/intel64/libopenvino_c.so.2500
like "$(INTEL_OPENVINO_DIR=$T/intel reason)" "$T/intel/runtime/lib/intel64/libopenvino_c.so.2500 has no ov_" \
	"the backend openvino finds the library in the directory of Intel's archive"
skip_unless openvino "the backend openvino lists the devices of OpenVINO" || done_testing

use_engines
# Without the variable, oneTBB opens libraries in a way that AddressSanitizer rejects. The drivers that OpenVINO
# loads in the search for GPUs leak.
if [ -n "${SANITIZED:-}" ]; then
	export TBB_ENABLE_SANITIZERS=1 ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
fi
list devices openvino >devices.csv
like "$(sed -n 2p devices.csv)" '^openvino,0,[^,]+,cpu,.*float32.*openvino 20[0-9][0-9]\.' \
	"the first device of the backend openvino is the processor"
is "$(sed -n 2p devices.csv | cut -d, -f 5)" "$(nproc)" "OpenVINO's processor has as many units as there are processors"
is "$(cut -d, -f 1 devices.csv | sort | uniq -c | sed 's/^ *//' | grep -c '^[4-9] openvino')" 1 \
	"the backend openvino lists a processor, a GPU, an NPU and the automatic choice"
is "$(cat err)" "" "the search for the devices of OpenVINO prints nothing"

models=$ROOT/tests/device/engine_models
# engine DEVICE MODEL STEP...: prints what the steps print, and then the message of a failure
engine() {
	device=$1 model=$2
	shift 2
	timeout 100 "$BUILD/tests/engine_run" "$BUILD/lib/benchutils/backend-openvino.so" "$device" "$model" "$@" 2>&1
}
# cpu FILE STEP...: the same, on the processor with one thread
cpu() {
	file=$models/$1
	shift
	engine cpu "$file" -t1 "$@"
}
# lines TEXT: the text, with semicolons instead of ends of lines
lines() { printf '%s' "$1" | tr '\n' ';'; }
# close_to LIMIT OUTPUT NUMBERS: prints the number of elements that differ from the numbers by more
close_to() {
	echo "${2##*=}" | awk -v limit="$1" -v want="$3" '{ n = split($0, x, ","); m = split(want, y, ",")
		for (i = 1; i <= m; i++) { d = x[i] - y[i]; far += !(d <= limit && -d <= limit) } print n == m ? far + 0 : n }'
}

# A Relu of x whose result is not an output.
printf '\010\010\072\042\012\014\012\001x\022\001y\042\004Relu\022\001gZ\017\012\001x\022\012\012\010\010\001\022\004\012\002\010\004B\004\012\000\020\021' >silent.onnx
like "$(engine cpu silent.onnx -t1 ports)" 'no output of the model is a tensor' \
	"the backend openvino rejects a model without outputs, as onnxruntime does"
is "$(lines "$(cpu add.onnx ports x=1 y=2 run z)")" \
	"input x float32 1;input y float32 1;output z float32 1;z:1=3" "a model with two inputs runs"
is "$(cpu add.onnx -b x=1 y=2 run x=2 run z)" "z:1=4" "a model in memory runs again with another input"
like "$(lines "$(cpu add.onnx facts)")" \
	'^engine=openvino [0-9.]+;threads=1;streams=1;precision=model;devices=CPU;cache=off;fallback_ops=0$' \
	"a model on the processor reports its engine, threads, streams, precision, cache and fallback"
is "$(engine cpu "$models/add.onnx" facts | grep ^threads)" "threads=$(nproc)" \
	"a model has one thread for each available processor by default"
is "$(lines "$(engine auto "$models/add.onnx" -t1 x=1 y=2 run z facts | grep -e z: -e devices -e ops)")" \
	"z:1=3;devices=CPU;fallback_ops=0" \
	"a model on the automatic choice reports the device that was chosen"
is "$(lines "$(cpu mlp.onnx ports)")" "input x float32 batch 8;output y float32 batch 4" "an open dimension has its symbol"
is "$(lines "$(cpu mlp.onnx -dbatch=3 ports)")" "input x float32 3 8;output y float32 3 4" "an open dimension can be fixed"
first=$(cpu mlp.onnx x:3x8=#24 run y)
like "$first" '^y:3x4=' "an output of open size has the size of its run"
is "$(close_to 1e-5 "$(cpu mlp.onnx -dbatch=3 x=#24 run y)" "${first#*=}")" 0 "a fixed dimension does not change the results"
is "$(lines "$(cpu mlp.xml ports)")" "input x float32 x.0 8;output y float32 y.0 4" \
	"an open dimension without a symbol is named after its input and position"
is "$(cpu mlp.xml -dx.0=3 ports | head -n 1)" "input x float32 3 8" "an open dimension can be fixed by its position"

# The expected numbers were printed by make_formats.py from the programs that wrote the files.
is "$(close_to 1e-5 "$(cpu mlp.xml x:2x8=#16 run y)" \
	0.53832513,0.21890914,-0.6018081,-0.37652817,0.7116753,0.00732368,0.0098702,-0.3159102)" 0 \
	"a model in OpenVINO's format has the results of OpenVINO, without rounding to 16 bits"
scores=-0.31692475,-0.03393763,-0.4908968,0.06529957,-0.55368215
is "$(close_to 1e-5 "$(cpu conv.tflite serving_default_image:0=#192 run PartitionedCall:0)" $scores)" 0 \
	"a TensorFlow Lite file has the results of TensorFlow"
is "$(close_to 1e-5 "$(cpu conv.pb image:0=#192 run Identity:0)" $scores)" 0 \
	"a TensorFlow graph has the results of TensorFlow"
is "$(close_to 1e-5 "$(cpu layer.pdmodel x:2x8=#16 run relu_0.tmp_0)" \
	0.79417664,0,0,1.8071353,0,0,0,0.47477806)" 0 "a Paddle model has the results of Paddle"
is "$(lines "$(cpu states.onnx 'next_sum>sum' 'next_list>list' x=1,2 sum=10,20 list:1=5 run next_sum next_list \
	run next_sum next_list sum=0,0 run next_sum next_list)")" \
	"next_sum:2=11,22;next_list:3=5,1,2;next_sum:2=12,24;next_list:5=5,1,2,1,2;next_sum:2=1,2;next_list:7=5,1,2,1,2,1,2" \
	"states of fixed and of growing size are carried from run to run, and can be set again"
is "$(lines "$(cpu states.onnx x=1,2 sum=10,20 list:1=5 run 'next_sum>sum' 'next_list>list' run next_sum next_list)")" \
	"next_sum:2=12,24;next_list:5=5,1,2,1,2" "states are carried from a run that is over"
is "$(lines "$(cpu states.onnx other 'next_sum>sum' 'next_list>list' x=1,2 other x=1,2 sum=10,20 list:1=5 run \
	'next_sum>>sum' 'next_list>>list' other run next_sum next_list run next_sum next_list \
	other sum=100,200 list:1=7 run 'next_sum>>sum' 'next_list>>list' other run next_sum next_list \
	sum=0,0 run next_sum run next_sum next_list)")" \
	"next_sum:2=12,24;next_list:5=5,1,2,1,2;next_sum:2=13,26;next_list:7=5,1,2,1,2,1,2;\
next_sum:2=102,204;next_list:5=7,1,2,1,2;next_sum:2=1,2;next_sum:2=2,4;next_list:9=7,1,2,1,2,1,2,1,2" \
	"a model continues from the states of another, again and again"
is "$(lines "$(cpu states.onnx x=1,2 sum=10,20 list:1=5 run 'next_sum>>sum' 'next_list>>list' other x=1,2 sum=3,4 run next_sum \
	other run 'next_list>>list' 'next_sum>>sum' other run next_sum next_list sum=5,6 list:1=9 run next_sum next_list)")" \
	"next_sum:2=4,6;next_sum:2=12,24;next_list:5=5,1,2,1,2;next_sum:2=6,8;next_list:3=9,1,2" \
	"an input that has had the elements of another model can be set again"
is "$(lines "$(cpu states.onnx other 'next_sum>sum' other x=1,2 sum=10,20 list:1=5 run 'next_sum>>sum' 'next_list>>list' \
	run other sum=3,4 list:3=6,7,8 other next_sum next_list)")" "next_sum:2=11,22;next_list:3=5,1,2" \
	"an input that is set again does not change the outputs of another model"
is "$(lines "$(cpu states.onnx other 'next_sum>sum' other x=1,2 sum=10,20 list:1=5 run 'next_sum>>sum' 'next_list>>list' \
	other x=1,2 run run next_list list:1=9 run next_list run next_list next_sum)")" \
	"next_list:5=5,1,2,1,2;next_list:3=9,1,2;next_list:3=9,1,2;next_sum:2=15,30" \
	"an input that is set again is that of all later runs"
is "$(close_to 0.063 "$(cpu quantized.onnx x=#64 run y | cut -d, -f 1-8)" \
	-1.03125,0.3125,-0.09375,-0.09375,0.5,-0.09375,-0.3125,1.9375)" 0 "a quantized model runs"
like "$(lines "$(cpu mlp.onnx -p -dbatch=3 x=#24 ops)")" '^[^ ]+ [A-Z][A-Za-z]+ (timed|0)(;[^ ]+ [A-Z][A-Za-z]+ (timed|0))*$' \
	"the operations of a model have times"
is "$(cpu mlp.onnx -oINFERENCE_PRECISION_HINT=f32 facts | grep precision)" "precision=f32" "an option is a property of OpenVINO"
is "$(cpu mlp.onnx -oEXECUTION_MODE_HINT=PERFORMANCE facts | grep -c precision=model)" 0 \
	"the precision is OpenVINO's choice if that is requested"
mkdir cache
is "$(cpu mlp.onnx -oCACHE_DIR="$T/cache" facts | grep cache)$(cpu mlp.onnx -oCACHE_DIR="$T/cache" facts | grep cache)" \
	"cache=misscache=hit" "a model is kept in a cache if that is requested"
cache_hit() { timeout 100 bench-run -q -e none -r 1 -w 0 --processes 1 -M "$models/mlp.onnx" -b openvino:cpu "$@" | grep -o 'cache_hit,1,[01],ok'; }
is "$(cache_hit --engine-option CACHE_DIR="$T/cache2")" 'cache_hit,1,0,ok' "rows report that the model was not in the cache"
is "$(cache_hit --engine-option CACHE_DIR="$T/cache2")" 'cache_hit,1,1,ok' "rows report that the model came from the cache"
is "$(cache_hit)" '' "rows do not report a cache that is off"
is "$(find . -name '*.blob' | grep -vc '^./cache2*/')" 0 "nothing is cached by default"

# Each mistake gets one line.
# mistake MESSAGE DESCRIPTION MODEL STEP...: the message must be the only line of the failure
mistake() {
	message=$1 what=$2
	shift 2
	is "$(cpu "$@")" "$message" "$what"
}
mistake 'the input y has no elements' "a missing input is reported with its name" add.onnx x=1 run
mistake 'the input x has the shape [batch, 8], not [3, 7]' "a wrong shape is reported" mlp.onnx x:3x7=#21
mistake 'the input x has the shape [batch, 8], not [8]' "a wrong number of dimensions is reported" mlp.onnx x:8=#8
mistake 'the input x needs 96 bytes of float32, not 84' "a wrong number of bytes is reported" mlp.onnx x:3x8=#21
mistake 'the model has not run' "an output before the first run is reported" add.onnx z
mistake 'the model has not run' "an output that another model takes before the first run is reported" \
	states.onnx 'next_sum>>sum'
mistake "no input has an open dimension 'batsch'" "an unknown dimension is reported" mlp.onnx -dbatsch=3
mistake "dimension batch: '3x' is not a number from 0" "a size that is no number is reported" mlp.onnx -dbatch=3x
mistake 'the output y cannot become the input x: their types or sizes differ' "states of different sizes are reported" \
	mlp.onnx 'y>x'
like "$(cpu add.onnx -oNO_SUCH_THING=1)" '^OpenVINO cannot compile the model for CPU: .*NO_SUCH_THING' "an unknown option is reported"
like "$(engine auto "$models/add.onnx" -oNO_SUCH_THING=1)" '^OpenVINO 2[0-9.]+ has no property NO_SUCH_THING$' \
	"an unknown option is reported on the automatic choice"
cat >text.xml <<'END_OF_MODEL'
<net name="text" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data element_type="string" shape="1"/><output>
<port id="0" precision="STRING" names="x"><dim>1</dim></port></output></layer>
<layer id="1" name="y" type="Result" version="opset1"><input><port id="0" precision="STRING"><dim>1</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>
END_OF_MODEL
: >text.bin
is "$(engine cpu text.xml)" 'the elements of the input x are not numbers of 8 to 64 bits or truth values' \
	"a model of texts is reported"
like "$(cpu types.onnx)" '^OpenVINO cannot read the model: .*Sequence' "an operator that OpenVINO lacks is reported"
head -c 500 "$models/mlp.onnx" >truncated.onnx
head -c 1500 "$models/conv.tflite" >truncated.tflite
head -c 700 "$models/conv.pb" >truncated.pb
head -c 500 "$models/mlp.xml" >truncated.xml
: >truncated.bin
for format in onnx pb tflite xml; do
	like "$(engine cpu truncated.$format)" '^(OpenVINO cannot read the model: .*|the file is damaged, or OpenVINO .* does not read the format .*)$' \
		"a truncated file .$format is reported in one line"
done
cp "$models/mlp.xml" alone.xml
is "$(engine cpu alone.xml)" 'its weights, alone.bin: No such file or directory' "a missing file of weights is reported"
head -c 100 "$models/mlp.bin" >alone.bin
like "$(engine cpu alone.xml)" '^OpenVINO cannot read the model: .*weights' "a truncated file of weights is reported"
is "$(engine cpu nonesuch.onnx)" 'No such file or directory' "a missing file is reported in one line"
: >model.txt
like "$(engine cpu model.txt)" '^OpenVINO reads files with the extensions onnx xml' "a file of another format is reported"
done_testing
