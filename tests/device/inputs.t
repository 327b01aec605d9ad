#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run --input reads pictures and tokens, and takes the batches of a directory in turn.
. "${0%/*}/../lib/tap.sh"

BENCH_BACKEND_PATH=$BUILD/tests/plugins
export BENCH_BACKEND_PATH
pictures=$ROOT/tests/fixtures/data/pictures
onnx=$ROOT/tests/fixtures/data/onnx
# run OPTIONS: takes one short sample on the fake engine, which notes its first and all runs
run() {
	rm -f echo.txt runs.txt
	timeout 60 bench-run -q -e none -r 1 -w 0 --processes 1 --sample-time 1ms -b fake_engine \
		--engine-option echo=echo.txt --engine-option runs=runs.txt "$@"
}
# bytes INPUT: prints the sizes and first bytes of an input in the first run
bytes() { sed -n "s/^$1 //p" echo.txt; }
# numbers INPUT: prints the lowest bytes of the int64 elements of an input in the first run
numbers() { bytes "$1" | cut -d ' ' -f 2 | tr . '\n' | awk 'NR % 8 == 1' | paste -s -d ' '; }
# turns N: prints the first bytes of the inputs in the first N runs
turns() { head -n "$1" runs.txt | paste -s -d ,; }
# refuses ERE DESCRIPTION OPTIONS: bench-run must end with status 2, one line that matches, and no row
refuses() {
	want=$1 what=$2
	shift 2
	run "$@" >out.csv 2>err
	is "$? $(wc -l <err) $(grep -c -v ^run, out.csv)" "2 1 0" "bench-run rejects $what"
	like "$(cat err)" "$want" "bench-run reports $what in one line"
}
model() { printf 'fake model\nbusy 20000\n%b\noutput y float32 1\n' "$1"; }

# Inputs that are lists of whole numbers.
model 'input lens int64 batch\ninput ids int64 batch 1' >list.fake
run -M list.fake -P batch=2 -P lens=7 >/dev/null 2>err
is "$(cat err)$(numbers 'lens int64')" "07 07" "-P sets all elements of a list of whole numbers"
run -M list.fake -P batch=2 -P lens=-1 >/dev/null 2>err
like "$(cat err)" 'lens=-1: this input is a whole number' "a negative number for a list of whole numbers is reported"

# Batches of arrays.
model 'input ids int64 batch 1' >rows.fake
mkdir rows
for i in 1 2 3 4 5; do
	printf '%b' "\\0$i\\0\\0\\0\\0\\0\\0\\0" >rows/$i.raw
done
run -M rows.fake -P batch=2 --input ids=rows >/dev/null 2>err
is "$(cat err)$(turns 5)" "01,03,05,01,03" "each iteration takes the next batch of a directory"
run -M rows.fake -P batch=5 --input ids=rows >/dev/null
is "$(sort -u runs.txt)" "01" "a directory with one batch is one batch in all iterations"
run -M rows.fake -P batch=2 --input ids=rows,batches=2 >/dev/null
is "$(turns 4)" "01,03,01,03" "the setting batches limits the number of batches"
model 'input ids int64 batch 1\ninput other int64 batch 1' >two.fake
mkdir three
cp rows/[123].raw three
run -M two.fake -P batch=1 --input ids=rows --input other=three >/dev/null
is "$(turns 6)" "01 01,02 02,03 03,04 01,05 02,01 03" "each input has its own number of batches"
refuses "--input ids: setting batches: '0' is not a whole number above 0" "a limit of 0 batches" -M rows.fake --input ids=rows,batches=0

# Tokens.
model 'input input_ids int64 batch 4\ninput attention_mask int64 batch 4\ninput flags float32 batch 4' >text.fake
printf '5 6\r\n\n7\t8  9 10 11\n12\n' >text.txt
run -M text.fake -P batch=2 --input input_ids=text.txt >/dev/null 2>err
is "$? $(cat err)" "0 " "--input reads sequences of tokens"
is "$(numbers 'input_ids int64')" "05 06 00 00 07 08 09 0a" \
	"sequences are padded and truncated to the length of the input"
is "$(numbers 'attention_mask int64')" "01 01 00 00 01 01 01 01" "the mask marks the tokens that are not padding"
is "$(cut -d ' ' -f 1,2 runs.txt | head -n 3 | paste -s -d ,)" "05 01,0c 01,05 01" "sequences and their masks form batches"
run -M text.fake -P batch=2 --input input_ids=text.txt,pad=3 >/dev/null
is "$(numbers 'input_ids int64')" "05 06 03 03 07 08 09 0a" "the setting pad is the token of the padding"
mkdir texts
printf '1 2 3 4\n5 6 7 8\n' >texts/b.txt
printf '9 9 9 9\n' >texts/a.txt
run -M text.fake -P batch=1 --input input_ids=texts >/dev/null
is "$(turns 4 | tr ',' '\n' | cut -d ' ' -f 1 | paste -s -d ,)" "09,01,05,09" "the sequences of a directory are in the order of its files"
model 'input ids int32 4' >bare.fake
run -M bare.fake --input ids=texts >/dev/null
is "$(turns 4)" "09,01,05,09" "an input of one dimension holds one sequence"
refuses 'text.txt: it has sequences of fewer than 4 tokens, and no mask' "padding without a mask" -M bare.fake --input ids=text.txt
ok "the setting pad allows padding without a mask" run -M bare.fake --input ids=text.txt,pad=0
echo '1 two' >word.txt
refuses "word.txt: line 1: 'two' is not the id of a token" "a word among tokens" -M bare.fake --input ids=word.txt
printf '1 2 3 4\n\n1 2 -3 4\n' >below.txt
refuses "below.txt: line 3: '-3' is not the id of a token" "a negative token" -M bare.fake --input ids=below.txt
echo '1 2 3 2147483648' >large.txt
refuses "large.txt: line 1: token 2147483648 is too large for the input" "a token that the type cannot hold" -M bare.fake --input ids=large.txt
: >none.txt
refuses 'none.txt: it has no tokens' "a file without tokens" -M bare.fake --input ids=none.txt
refuses "setting pad: rows/1.raw is no text file of tokens" "a setting for tokens with an array" -M rows.fake --input ids=rows,pad=0
model 'input x float32 4' >float.fake
refuses "texts/a.txt: input 'x' is float32, but tokens need integers" "tokens for floating-point numbers" -M float.fake --input x=texts
printf '1 2 3 4\n1 2 3 60\n' >range.txt
status 2 "a token beyond the table is rejected" timeout 60 bench-run -q -e none -r 1 -w 0 --processes 1 -b ref \
	-M "$onnx/bert.onnx" -P tokens=4 --input input_ids=range.txt
like "$(cat "$T/.err")" '--input input_ids: range.txt: line 2: token 60 is out of range: the table has [0-9]+ rows' \
	"a token beyond the table is reported with its line"
refuses "unknown setting 'padd'; did you mean pad" "an unknown setting" -M bare.fake --input ids=text.txt,padd=1
refuses "x,y.raw: No such file" "a file with a comma in its name that does not exist" -M bare.fake --input ids=x,y.raw
printf '%b' '\01\0\0\0\02\0\0\0\03\0\0\0\04\0\0\0' >x,y.raw
ok "a path may contain a comma" run -M bare.fake --input ids=x,y.raw
cp x,y.raw raw.txt
ok "format=raw reads a file with the extension txt as an array" run -M bare.fake --input ids=raw.txt,format=raw
cp texts/b.txt tokens
ok "format=tokens reads a file of another extension as tokens" run -M bare.fake --input ids=tokens,format=tokens

# Pictures.
skip_unless libjpeg "--input reads JPEG files" || { done_testing && exit; }
skip_unless libpng "--input reads PNG files" || { done_testing && exit; }
mkdir levels
cp "$pictures"/level[123]0.png levels
model 'input image uint8 batch 4 4 3' >bytes.fake
run -M bytes.fake -P batch=2 --input image=levels/ >/dev/null 2>err
is "$? $(cat err)" "0 " "--input reads a directory of pictures"
is "$(turns 4)" "0a,1e,0a,1e" "pictures form batches, the last of which is completed with the first pictures"
is "$(bytes 'image uint8' | tr -d .)" "2x4x4x3 $(yes 0a | head -n 48 | tr -d '\n')$(yes 14 | head -n 16 | tr -d '\n')" "unsigned bytes are the pixels of the pictures"
run -M bytes.fake -P batch=2 --input image="$pictures/level20.png" >/dev/null
is "$(sort -u runs.txt)" "14" "a single picture is repeated over the batch"
run -M bytes.fake -P batch=1 --input image=levels,scale=0.5,batches=1 >/dev/null
is "$(sort -u runs.txt)" "14" "the setting scale divides the pixels"
model 'input image float32 batch 3 4 4' >float.fake
run -M float.fake -P batch=1 --input image=levels >/dev/null
is "$(bytes 'image float32' | cut -d ' ' -f 2 | cut -d . -f 1-4)" "09.2c.f9.bf" "floating-point inputs are normalized as for ImageNet"
run -M float.fake -P batch=1 --input image=levels,mean=0.5,std=0.25:0.5:1 >/dev/null
is "$(bytes 'image float32' | cut -d ' ' -f 2 | cut -d . -f 1-4)" "ec.eb.eb.bf" "the settings mean and std replace the normalization"
mkdir mixed
cp "$pictures"/color.jpg "$pictures"/palette.png "$pictures"/gray.jpg mixed
ok "a directory may contain JPEG and PNG files" run -M float.fake -P batch=3 --input image=mixed,resize=5,crop=4,filter=bicubic,color=bgr,layout=nchw
model 'input image uint8 1 3 4 3' >either.fake
refuses "input 'image' is 1x3x4x3, of which two dimensions can be the channels: set layout=nchw or layout=nhwc" "an ambiguous layout" \
	-M either.fake --input image=levels
ok "the setting layout decides an ambiguous layout" run -M either.fake --input image=levels,layout=nhwc
refuses "level10.png: input 'x' is 2x5, but pictures need 3 or 4 dimensions" "pictures for another shape" \
	-M "$(model 'input x float32 2 5' >flat.fake && echo flat.fake)" --input x=levels
refuses "input 'x' is 1x4x8x8, but pictures have 1 or 3 channels" "pictures for four channels" \
	-M "$(model 'input x float32 1 4 8 8' >four.fake && echo four.fake)" --input x=levels
refuses "input 'x' is int64, but pictures need floating-point numbers, uint8 or int8" "pictures for another type" \
	-M "$(model 'input x int64 1 3 8 8' >wide.fake && echo wide.fake)" --input x=levels
refuses "setting crop: 5x5 differs from input 'image', whose pictures are 4x4" "a crop that is not the input's size" \
	-M float.fake -P batch=1 --input image=levels,crop=5
refuses "level10.png: resized, it is 3x3, smaller than the crop of 4x4" "a resized picture that is too small" -M float.fake -P batch=1 --input image=levels,resize=3
refuses "setting resize: '0' is not a number of pixels, HEIGHTxWIDTH or none" "a size of 0" -M float.fake -P batch=1 --input image=levels,resize=0
refuses "setting resize: rows/1.raw is no JPEG or PNG file" "a setting for pictures with an array" -M rows.fake --input ids=rows,resize=8
refuses 'cmyk.jpg: the JPEG file has CMYK colors: convert it to RGB' "a CMYK picture" -M float.fake -P batch=1 --input image="$pictures/cmyk.jpg"
head -c 700 "$pictures/color.jpg" >mixed/end.jpg
refuses 'mixed/end.jpg: the JPEG file is truncated' "a truncated picture in a directory" -M float.fake -P batch=1 --input image=mixed
echo text >mixed/end.jpg
refuses 'mixed/end.jpg: it is neither a JPEG nor a PNG file' "another file in a directory of pictures" -M float.fake -P batch=1 --input image=mixed
model 'input image uint8 batch 16000 16000 3' >large.fake
refuses 'levels: its 3 batches need more than 1 GiB of memory: use the first 1 with the setting batches=1' "batches that need too much memory" \
	-M large.fake -P batch=1 --input image=levels

# Real backends: the results are compared with those of ref.
unset BENCH_BACKEND_PATH
use_engines
backends=ref
skip_unless openblas "cpu reads pictures and tokens" && backends=$backends,cpu
# The libraries of engines cannot be loaded into a program with sanitizers.
for engine in onnxruntime openvino; do
	skip_unless unsanitized "$engine reads pictures and tokens" && skip_unless $engine "$engine reads pictures and tokens" &&
		backends=$backends,$engine
done
# errors OPTIONS: prints the number of backends whose results are those of ref
errors() {
	timeout 100 bench-run -q -e none -r 1 -w 0 --processes 1 --sample-time 1ms --no-peaks -b "$backends" --check "$@" >checked.csv 2>err
	awk -F, '/^run/ { for (i = 1; i <= NF; i++) at[$i] = i } $at["metric"] == "error" && $at["status"] == "ok" && $at["value"] < 1e-4' \
		checked.csv | wc -l
}
count=$(echo "$backends" | tr , '\n' | wc -l)
rm mixed/end.jpg
is "$(errors -M "$onnx/resnet.onnx" -P batch=2 --input image=mixed)" "$count" "pictures are the same input on all backends"
is "$(errors -M "$onnx/bert.onnx" -P tokens=4 --input input_ids=texts)" "$count" "tokens are the same input on all backends"
done_testing
