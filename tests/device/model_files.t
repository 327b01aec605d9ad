#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run measures model files on a backend that runs whole models: the plug-in fake_engine, whose models
# are text files.
. "${0%/*}/../lib/tap.sh"

BENCH_BACKEND_PATH=$BUILD/tests/plugins
export BENCH_BACKEND_PATH
# run OPTIONS: takes one short sample on the fake engine
run() { timeout 60 bench-run -q -e none -r 1 -w 0 --processes 1 --sample-time 1ms -b fake_engine "$@"; }
# cells COLUMN...: prints columns of the CSV rows on standard input
cells() {
	awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] != "rows" { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }'
}
# refuses ERE DESCRIPTION OPTIONS: bench-run must end with status 2, one line that matches, and no row
refuses() {
	want=$1 what=$2
	shift 2
	run "$@" >out.csv 2>err
	is "$? $(wc -l <err) $(grep -c -v ^run, out.csv)" "2 1 0" "bench-run rejects $what"
	like "$(cat err)" "$want" "bench-run reports $what in one line"
}

mkdir dir
cat >dir/net.fake <<'END_OF_MODEL'
fake model
input x float32 batch 3 4
input ids int64 batch tokens
input attention_mask int64 batch tokens
input flag bool
output y float32 batch 3 4
fallback 2
op conv Conv 1000
op relu Relu 250
END_OF_MODEL
cp dir/net.fake net.onnx
net=dir/net.fake

run -M $net -P tokens=4 --engine-option echo=echo.txt >one.csv 2>err
is "$? $(cat err)" "0 " "bench-run measures a model file"
is "$(cells kind bench backend engine device device_type batch tokens input_shape <one.csv | sort -u)" \
	"model net.fake fake_engine fake 1.2.3 fake device accelerator 1 4 1x3x4" "rows of a model file name the engine and the sizes"
metrics=$(cells metric <one.csv | sort -u | tr '\n' ' ')
is "$metrics" "device_memory device_memory_mean fallback_ops first load max_rss ok open rss throughput wall " \
	"a model file has metrics of loading, running and memory"
is "$(cells metric value <one.csv | grep -E '^(fallback_ops|device_memory) ')" "fallback_ops 2
device_memory 123456" "rows have the fallbacks and the memory that the engine reports"
is "$(sed -n 's/ .*//p' echo.txt | tr '\n' ' ')" "x ids attention_mask flag threads " "all inputs are set before the first run"
is "$(sed -n 's/^attention_mask int64 1x4 //p' echo.txt | tr -d '.0')" 1111 "the elements of a mask are 1"
is "$(sed -n 's/^ids int64 1x4 //p' echo.txt | tr -d '.01')" "" "random integers are 0 or 1"
is "$(sed -n 's/^flag bool *//p' echo.txt)" 01 "truth values are 1"
cp echo.txt first.txt
run -M $net -P tokens=4 --engine-option echo=echo.txt >/dev/null
ok "the inputs are the same in each run" cmp first.txt echo.txt
run -M $net -P tokens=4 --engine-option echo=echo.txt --seed 2 >/dev/null
is "$(cmp -s first.txt echo.txt && echo same)" '' "--seed changes the inputs"

run -M $net -P tokens=4 -P cache=on >cache.csv
is "$(cells metric value <cache.csv | grep ^cache)" "cache_hit 1" "rows have the use of the cache of an engine"
run -M $net,net.onnx -P batch=1,8 -P tokens=4 -P level=0,1 -P threads=2 >sweep.csv
is "$(cells bench batch level threads <sweep.csv | sort -u | tr '\n' ';')" \
	"net.fake 1 0 2;net.fake 1 1 2;net.fake 8 0 2;net.fake 8 1 2;net.onnx 1 0 2;net.onnx 1 1 2;net.onnx 8 0 2;net.onnx 8 1 2;" \
	"-P sweeps open dimensions, options of the engine and threads"
is "$(cells input_shape batch <sweep.csv | sort -u | tr '\n' ';')" "1x3x4 1;8x3x4 8;" "a size of -P changes the shape of the input"
run -M $net -P ids.1=6 -P attention_mask.1=6 --engine-option echo=echo.txt -P threads=3 >/dev/null
is "$(grep -c ' 1x6 ' echo.txt) $(tail -n 1 echo.txt)" "2 threads 3" "-P INPUT.K sets a dimension, and the engine gets the threads"
timeout 60 bench-run -q -e none -r 1 -w 0 --processes 1 -M $net -P tokens=4 >auto.csv
is "$(cells backend <auto.csv | sort -u)" fake_engine "the default backend of a model file is one that reads it"
run -M $net -P tokens=4 -j 2 >workers.csv
like "$(cells workers metric <workers.csv | sort -u | tr '\n' ' ')" '2 speedup' "-j measures concurrent sessions of a model file"

printf 'fake model\ninput x float32 4\noutput y float32 4\nthreads 2\n' >two.fake
timeout 60 bench-run -e none -r 1 -w 0 --processes 1 -b fake_engine -M two.fake -P threads=2,3 >two.csv 2>err
is "$(cells threads metric status <two.csv | grep wall | tr '\n' ';')" "2 wall ok;3 wall unsupported;" \
	"an engine that uses another number of threads than the rows would show is not measured"
like "$(cat err)" 'fake_engine uses 2 threads, not 3: run -P threads=2' "the message has both numbers of threads"

printf 'fake model\ninput 0 float32 ? 4\noutput y float32 ? 4\nemulated a slow emulator\n' >open.fake
timeout 60 bench-run -e none -r 1 -w 0 --processes 1 -b fake_engine -M open.fake >open.csv 2>err
is "$(cells 0.0 device_type metric <open.csv | grep wall)" "1 emulator wall" "a dimension without a name is INPUT.K, and 1 if it is the first"
like "$(cat err)" 'open.fake: a slow emulator emulates the device' "bench-run warns that an emulator's times are not those of a device"

run -M $net -P tokens=4 --ops >ops.csv
is "$(cells operation metric value <ops.csv | grep '^0')" "000 conv wall 1000
001 relu wall 250" "--ops has a row for each operation that the engine times"

# Inputs from files.
awk 'BEGIN { for (i = 0; i < 12; i++) printf "%c%c%c%c", 0, 0, 128, 63 }' >x.raw
{
	printf '\223NUMPY\001\000\166\000'
	printf "%-117s\n" "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 2), }"
	awk 'BEGIN { for (i = 0; i < 16; i++) printf "%c", i % 8 ? 0 : 7 }'
} >ids.npy
run -M $net -P tokens=2 --input x=x.raw --input ids=ids.npy --engine-option echo=echo.txt >/dev/null 2>err
is "$? $(cat err)" "0 " "--input accepts a raw file and one of NumPy"
is "$(sed -n 's/^x float32 1x3x4 //p' echo.txt)" "$(yes 00.00.80.3f | head -n 12 | paste -s -d .)" "--input reads raw elements of the input's type"
is "$(sed -n 's/^ids int64 1x2 //p' echo.txt)" 07.00.00.00.00.00.00.00.07.00.00.00.00.00.00.00 "--input reads a file of NumPy"
mkdir rows
for i in 1 2; do
	printf '%b' "\\0$i\\0\\0\\0\\0\\0\\0\\0" >rows/$i.raw
done
printf 'fake model\ninput ids int64 batch 1\noutput y int64 batch 1\n' >rows.fake
run -M rows.fake -P batch=3 --input ids=rows --engine-option echo=echo.txt >/dev/null 2>err
is "$(cat err)$(sed -n 's/^ids int64 3x1 //p' echo.txt | tr -d .)" 010000000000000002000000000000000100000000000000 \
	"--input repeats the files of a directory over the first dimension"
mkdir empty
refuses 'empty: the directory is empty' "an empty directory of inputs" -M rows.fake --input ids=empty
refuses 'x.raw: it has 48 bytes of elements, but input .ids. needs 16: 2 of int64' "a raw file of another size" -M $net -P tokens=2 --input ids=x.raw
refuses 'ids.npy: its elements are int64, but input .x. is float32' "a file of NumPy of another type" -M $net -P tokens=2 --input x=ids.npy
refuses 'ids.npy: its shape is 1x2, but input .ids. is 1x3' "a file of NumPy of another shape" -M $net -P tokens=3 --input ids=ids.npy
refuses 'nonesuch: No such file' "an input file that does not exist" -M $net -P tokens=3 --input ids=nonesuch
refuses '--input z: no subject has an input' "an input that the model lacks" -M $net -P tokens=3 --input z=x.raw

# Invalid requests.
refuses "net.fake: set the open dimension tokens, for example with -P 'tokens=8'" "an open dimension without a size" -M $net
printf 'fake model\ninput x float32 batch past_tokens tokens\ninput y float32 batch tokens\noutput z float32 1\n' >two.fake
refuses "two.fake: set the open dimensions past_tokens, tokens, for" "open dimensions of which one's name contains the other's" -M two.fake
refuses "net.fake: these sizes leave no element in the first input, 'x'" "a batch of no samples" -M $net -P tokens=2 -P batch=0
refuses "'-1' is not a size of dimension 1" "an invalid size" -M $net -P tokens=-1
refuses 'nonesuch.onnx: No such file or directory' "a model file that does not exist" -M nonesuch.onnx
refuses 'dir.onnx: not a regular file' "a directory as a model file" -M "$(mkdir dir.onnx && echo dir.onnx)"
echo garbage >bad.onnx
refuses "bad.onnx: backend 'fake_engine': not a fake model: 'garbage'" "a file that the engine cannot load" -M bad.onnx
head -c 60 "$ROOT/tests/device/engine_models/mlp.onnx" >cut.onnx
run -M cut.onnx -b fake_engine,ref >out.csv 2>err
is "$? $(cat err)" "2 bench-run: cut.onnx: a length is beyond the end of the file or of its message; the file is truncated or damaged" \
	"bench-run reports a truncated ONNX file once for all backends"
printf 'fake model\ninput x float32 dtype threads 4\noutput y float32 1\n' >columns.fake
run -M columns.fake -P x.0=2 -P x.1=3 >columns.csv 2>err
is "$? $(cat err)$(cells input_shape x.0 x.1 threads <columns.csv | sort -u)" "0 2x3x4 2 3 4" \
	"a dimension that is named like a column of the output is INPUT.K"
refuses "columns.fake: .*unknown option 'dtype' .*open dimensions: x.0, x.1" "a value of such a dimension" -M columns.fake -P dtype=2
timeout 60 bench-run -e none -r 1 -w 0 --processes 1 -b fake_engine -M $net -P tokens=2 -P threads=1,4000 >threads.csv 2>err
is "$(cells threads metric status <threads.csv | grep wall | sort | tr '\n' ';')" "1 wall ok;4000 wall unsupported;" \
	"an engine is not measured with so many threads that it would hardly start"
like "$(cat err)" 'net.fake: unsupported: 4000 threads are too many for an engine .*; use at most [0-9]+, 16 for each processor' \
	"bench-run reports the largest number of threads of an engine"
refuses "net.fake: backend 'fake_engine': unknown option 'lvel' .there are: cache, echo, level, runs.; open dimensions: batch, tokens" "an unknown option of -P" -M $net -P tokens=2 -P lvel=1
refuses "^bench-run: -P: dir/net.fake has no parameter 'token'; did you mean tokens\\? .there are: batch, tokens, flag, threads; --engine-option sets an option of the engine.$" \
	"a mistyped dimension of -P" -M $net -P token=2
refuses "unknown option 'token'" "an option of --engine-option like a dimension" -M $net -P tokens=2 --engine-option token=1
refuses "unknown option 'lvel'" "an unknown option of --engine-option" -M $net -P tokens=2 --engine-option lvel=1
refuses "option level: '9' is not 0 to 3" "an invalid value of an option" -M $net -P tokens=2 --engine-option level=9
status 2 "bench-run rejects --engine-option if no subject runs on an engine" bench-run -k copy -b ref --engine-option level=1
like "$(cat "$T/.err")" '--engine-option level: no subject runs on an engine' "bench-run reports an option without an engine"
refuses "'level' is not name=value" "an option without a value" -M $net --engine-option level
refuses '--check: there is no reference for dir/net.fake: it is not an ONNX file' "--check of a file without a reference" -M $net -P tokens=2 --check
printf 'fake model\ninput text string 1\noutput y float32 1\n' >text.fake
refuses "text.fake: input 'text' holds texts" "an input of texts" -M text.fake
cp net.onnx net.gguf
refuses "net.gguf: .* does not read .gguf files; bench-engine.7. describes how to convert" "a GGUF file" -M net.gguf
cp net.onnx net.tflite
refuses "net.tflite: backend 'fake_engine' does not read .tflite files; openvino does" "a file that the backend does not read" -M net.tflite
timeout 60 bench-run -e none -r 1 -w 0 --processes 1 -M net.onnx,net.tflite -b fake_engine -P tokens=2 >part.csv 2>err
is "$? $(cells bench metric status <part.csv | grep wall | sort)" "1 net.onnx wall ok
net.tflite wall skipped" "a file that no backend reads is skipped, and the others are measured"
timeout 60 bench-run -e none -r 1 -w 0 --processes 1 -k copy -b fake_engine,ref -P n=100 >part.csv 2>err
is "$(cells backend metric status <part.csv | grep wall | sort)" "fake_engine wall unsupported
ref wall ok" "a kernel that an engine cannot load is unsupported"
like "$(cat err)" 'the first was .copy.: it is ONNX' "bench-run reports why an engine cannot load a kernel"
printf 'fake model\ninput x float8e5m2 1\noutput y float32 1\n' >odd.fake
run -M odd.fake >out.csv 2>err
like "$(cat err)" 'is float8e5m2, which cannot be generated: give it with --input x=PATH' "an input that cannot be generated is reported"
printf 0 >one.raw
ok "an input that cannot be generated is read from a file" run -M odd.fake --input x=one.raw
done_testing
