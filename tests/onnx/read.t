#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-list models FILE.onnx: what it shows, and which files it refuses.
. "${0%/*}/../lib/tap.sh"

models=$ROOT/tests/device/engine_models

# column NAME OPERAND...: prints a column of the table of models
column() {
	name=$1
	shift
	timeout 100 bench-list --json models "$@" | python3 -c '
import json, sys
for row in json.load(sys.stdin):
    print("-" if row[sys.argv[1]] is None else row[sys.argv[1]])' "$name"
}
# refuses DESCRIPTION ERE FILE [ARG...]: bench-list rejects the file with one line that begins with its name
refuses() {
	what=$1 message=$2
	shift 2
	status 2 "bench-list rejects $what" timeout 100 bench-list models "$@"
	like "$(cat "$T/.err")" "^bench-list: $1: .*$message" "bench-list reports $what"
	is "$(wc -l <"$T/.err")$(grep -v '^kind,bench' "$T/.out")" 1 "bench-list writes one line about $what"
}

cp "$models/mlp.onnx" "$models/types.onnx" .
is "$(column bench mlp.onnx) $(column category ./mlp.onnx)" "mlp onnx" "an ONNX file is named after the file"
is "$(column params mlp.onnx)" 208 "the weights of an ONNX file are counted"
is "$(column params "$models/quantized.onnx")" 128 "integers of 8 bits are weights of an ONNX file"
is "$(column macs mlp.onnx)" 192 "the multiply-adds of an ONNX file are counted"
is "$(column macs mlp.onnx -P batch=4) $(column input_shape mlp.onnx -P batch=4)" "768 4x8" \
	"-P sets an open dimension of an ONNX file"
is "$(column args mlp.onnx -P batch=4 -P seq=9) $(column parameters mlp.onnx -P batch=4)" "batch=4 batch=1" \
	"-P applies only to dimensions that the file has"
is "$(column inputs mlp.onnx); $(column outputs mlp.onnx)" "x float32[batch,8]; y float32[batch,4]" \
	"the inputs and outputs have types and dimensions"
is "$(column operators mlp.onnx) $(column opset mlp.onnx)" "MatMul=2 Add=1 Relu=1 17" \
	"the operators of an ONNX file are counted, most frequent first"
is "$(column outputs types.onnx)" \
	"whole int8[3]; not bool[1]; places int64[1,found]; half float16[3]; pair no tensor; text string[3]" \
	"outputs that are no tensors are listed"
is "$(column params resnet50 mlp.onnx | sort -n | tr '\n' ' ')" "208 25557032 " \
	"a list and an ONNX file are rows of one table"
is "$(column remark mlp.onnx resnet50 | sort -u)" - "the remark is empty if the multiply-adds are known"
unlike "$(bench-list models resnet50 --csv)" remark "the table has the columns of ONNX files only for such files"

like " $(column backends mlp.onnx) " ' ref ' "a file that can be imported runs on ref"
unlike "$(column rejected_by mlp.onnx)" 'ref' "no reason is given for a backend that runs the file"
unlike " $(column backends types.onnx) " ' (ref|cpu) ' "a file with an unknown operator does not run on ref"
like "$(column rejected_by types.onnx)" "ref.*: operator 'SequenceConstruct' .node 'pair'. is not supported" \
	"the first operator that ref lacks is named"
like "$(column rejected_by mlp.onnx)" '^onnxruntime: .*BENCH_ONNXRUNTIME' "the reason is given why an engine cannot be used"
if skip_unless onnxruntime "engines run ONNX files by their format"; then
	like " $(VIRTUAL_ENV=$VENV column backends "$models/quantized.onnx") " ' onnxruntime ' "engines run ONNX files by their format"
fi

like "$(COLUMNS=60 bench-list --table models mlp.onnx)" '^mlp +208 +192 ' "a narrow table shows the weights and multiply-adds"
is "$(COLUMNS=60 bench-list --table models types.onnx | grep -c '^ *$')" 0 \
	"a narrow table has no empty lines for a hidden column"

# bytes NUMBER...: writes bytes
bytes() {
	for byte; do
		# shellcheck disable=SC2059 # the format has the byte
		printf "\\$(printf %03o "$byte")"
	done
}
# A product of x, a matrix of a rows and b columns, with itself
{
	bytes 8 8 58 42 10 17 10 1 120 10 1 120 18 1 121 34 6
	printf MatMul
	bytes 90 21 10 1 120 18 16 10 14 8 1 18 10 10 3 18 1 97 10 3 18 1 98
} >square.onnx
is "$(column macs square.onnx) $(column remark square.onnx); $(column parameters square.onnx)" \
	"- macs are unknown: set with -P: b; a=1 b=" "an open dimension that must be set is named"
is "$(column macs square.onnx -P a=3 -P b=3) $(column remark square.onnx -P a=3 -P b=3)" "27 -" \
	"the multiply-adds are known if all open dimensions are set"
like "$(column remark square.onnx -P b=2)" "^macs are unknown: node of 'y' \(MatMul\): rows of 2 elements and columns of 1" \
	"shapes that do not fit are named with their node"

# The same models, as lists and as exported files.
for model in "resnet50 image=64 width=8 classes=10" "vit_b_16 image=32 layers=2 hidden=32 ff=64 heads=4" \
	"gpt2 seq=16 layers=2 hidden=32 ff=64 heads=4 vocab=100 batch=2" \
	"whisper-tiny frames=20 layers=1 hidden=32 ff=64 heads=4 vocab=100"; do
	# shellcheck disable=SC2086 # words
	set -- $model
	name=$1
	shift
	for parameter; do
		set -- "$@" -P "$parameter"
		shift
	done
	bench-list --export exported.onnx -M "$name" "$@"
	is "$(column macs exported.onnx)" "$(column macs "$name" "$@")" "$name has the same multiply-adds as an ONNX file"
	# The means and variances of batch normalization are also initializers, but are not trained.
	[ "$name" = resnet50 ] ||
		is "$(column params exported.onnx)" "$(column params "$name" "$@")" "$name has the same weights as an ONNX file"
done

# Files that are no models.
refuses "a missing file" 'No such file' none.onnx
mkdir folder.onnx
refuses "a directory" 'not a regular file' folder.onnx
mkfifo pipe.onnx
refuses "a named pipe" 'not a regular file' pipe.onnx
: >empty.onnx
refuses "an empty file" 'the file is empty' empty.onnx
printf 'op,out,in,args\nmodel,a,,\n' >list.onnx
refuses "a list that is named like an ONNX file" 'byte 0: ModelProto: ' list.onnx
head -c 200 mlp.onnx >truncated.onnx
refuses "a truncated file" 'the file is truncated or damaged' truncated.onnx
refuses "a size of 0" 'batch=0: the size of a dimension is a whole number' mlp.onnx -P batch=0
refuses "a size that is no number" 'batch=four: the size' mlp.onnx -P batch=four

# entry KEY VALUE: writes an entry of external_data
entry() {
	bytes 106 $((${#1} + ${#2} + 4)) 10 ${#1}
	printf %s "$1"
	bytes 18 ${#2}
	printf %s "$2"
}
# external LOCATION [KEY VALUE]...: writes a model that has a tensor of two floats in another file
external() {
	{
		bytes 8 2 16 1 66 1 119 112 1
		entry location "$1"
		shift
		while [ $# -gt 0 ]; do
			entry "$1" "$2"
			shift 2
		done
	} >tensor
	bytes 8 8 58 $(($(wc -c <tensor) + 2)) 42 "$(wc -c <tensor)"
	cat tensor
}

mkdir in out
printf 12345678 >in/w.bin
external w.bin >in/fine.onnx
is "$(column params in/fine.onnx)" 2 "a tensor in another file is found next to the ONNX file"
external w.bin offset 0 length 8 >in/fine.onnx
is "$(column params in/fine.onnx)" 2 "a tensor in another file may have an offset and a length"
cd in || exit 1
is "$(column params fine.onnx)" 2 "a tensor is found if the ONNX file is in the current directory"
cd ..
mkdir links blobs
mv in/w.bin blobs/1
mv in/fine.onnx blobs/2
ln -s ../blobs/1 links/w.bin
ln -s ../blobs/2 links/fine.onnx
is "$(column params links/fine.onnx)" 2 "a link to the directory of the ONNX file that a link leads to is followed"
cp blobs/2 in/fine.onnx
printf 12345678 >out/w.bin
refuses "a missing file of a tensor" "data of tensor 'w' in 'w.bin': No such file" in/fine.onnx
ln -s ../out/w.bin in/w.bin
refuses "a link out of the directory" 'a symbolic link leads out of' in/fine.onnx
rm in/w.bin
ln -s w.bin in/w.bin
refuses "a link to itself" 'Too many levels of symbolic links' in/fine.onnx
rm in/w.bin
ln -s ../out in/folder
external folder/w.bin >in/folder.onnx
refuses "a linked directory" 'a symbolic link leads out of' in/folder.onnx
external ../out/w.bin >in/up.onnx
refuses "a path with .." 'absolute, contains ".."' in/up.onnx
external "$T/out/w.bin" >in/absolute.onnx
refuses "an absolute path" 'absolute, contains ".."' in/absolute.onnx
external . >in/dot.onnx
refuses "a directory as the file of a tensor" '(not a regular file|leads out of)' in/dot.onnx
printf 1234567 >in/w.bin
refuses "a file of a tensor that is too short" 'the file has 7 bytes, fewer than 8' in/fine.onnx
printf 12345678 >in/w.bin
external w.bin offset 1 >in/offset.onnx
refuses "an offset near the end" 'fewer than 8 bytes at offset 1 need' in/offset.onnx
external w.bin offset 18446744073709551615 >in/offset.onnx
refuses "an offset of 2^64 - 1" 'offset of external data is no number' in/offset.onnx
external w.bin offset -8 >in/offset.onnx
refuses "a negative offset" 'at offset -8' in/offset.onnx
external w.bin offset 9223372036854775807 >in/offset.onnx
refuses "an offset of 2^63 - 1" 'fewer than 8 bytes at offset 9223372036854775807' in/offset.onnx
external w.bin length 4 >in/length.onnx
refuses "a length that is not the tensor's" '4 bytes at offset 0, instead of 8' in/length.onnx
external '' >in/empty.onnx
refuses "an empty path" 'no location' in/empty.onnx
done_testing
