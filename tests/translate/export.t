#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-list --export: the exported models give the results of ref in ONNX Runtime.
. "${0%/*}/../lib/tap.sh"

# export_list FOLDER KIND NAME STEPS PARAMETER...: exports a model or kernel, with what ref computes in a pass
# and in STEPS steps
export_list() {
	folder=$1 kind=$2 name=$3 steps=$4
	shift 4
	mkdir "$folder"
	"$BUILD/tests/ref_passes" "$kind" "$name" "$steps" "$folder" "$@" >"$folder/values" || echo "$name: ref fails"
	for parameter; do
		set -- "$@" -P "$parameter"
		shift
	done
	option=-M
	[ "$kind" = model ] || option=-k
	bench-list --export "$folder/forward.onnx" $option "$name" "$@" || echo "$name is not exported"
	[ "$steps" = 0 ] || bench-list --export "$folder/step.onnx" $option "$name" "$@" --step || echo "$name is not exported"
}
# wrong NAME: prints the result of a comparison unless it is a small error
wrong() {
	awk -v name="$1" '$1 == name && NF == 2 && $2 < 2e-5 { found = 1 } $1 == name || $1 == name ":" { line = $0 }
		END { if (!found) print line ? line : "nothing was compared" }' results
}

# Lists with views that the models do not have: parts written in other orders, twice, or in two dimensions;
# permuted and repeated reads; a state that is partly overwritten; integers.
cat >views.csv <<'END'
op,out,in,args
model,views,unusual views,arch=test
symbol,n,,value=6
input,a,,sizes=2:n:4
input,b,,sizes=2:n:4
room,r,,sizes=2:2*n:4
slice,low,r,dim=1 from=0 size=n
slice,high,r,dim=1 from=n size=n
move,,b high,
move,,a low,alpha=2
softmax,s,r,
permute,p,r,order=2:0:1
move,p,p,name=permuted
output,p,p,
permute,o,r,order=1:2:0
move,o,o,name=permuted_otherwise
output,o,o,
room,w,,name=overlapping sizes=2:2*n:4
slice,w0,w,dim=1 from=0 size=n+1
slice,w1,w,dim=1 from=n-1 size=n
slice,w2,w,dim=1 from=2*n-2 size=2
slice,w3,r,dim=1 from=0 size=n+1
slice,w4,b,dim=1 from=1 size=2
move,,w3 w0,
move,,b w1,
move,,w4 w2,
softmax,w,w,
output,w,w,
room,t,,name=transposed sizes=4:n:2
permute,u,t,order=2:1:0
move,,a u,
relu,t,t,
output,t,t,
slice,middle,r,dim=1 from=n-1 size=2
slice,inner,middle,dim=2 from=1 size=2
slice,source,a,dim=1 from=0 size=2
slice,source,source,dim=2 from=2 size=2
move,,source inner,
slice,twice,r,dim=1 from=1 size=n
move,,b twice,alpha=-1
add,q,r s,
output,q,q,
slice,row,r,dim=1 from=3 size=1
expand,row,row,sizes=2:5:4
move,row,row,name=rows
output,row,row,
reshape,flat,r,sizes=2*2*n:4
slice,gate,flat,dim=1 from=0 size=2
glu,g,gate,act=tanh
output,g,g,
state,kept,,sizes=3:4
slice,one,kept,dim=0 from=1 size=1
slice,first,flat,dim=0 from=2 size=1
move,,first one,
move,all,kept,
output,all,all,
move,bytes,a,dtype=int8 alpha=100
move,floats,bytes,dtype=model alpha=0.01
output,bytes,bytes,
output,floats,floats,
move,sum,flat,name=sum
linear,sum,sum,out=3 act=softplus alpha=0.5
output,sum,sum,
END

# Operations with arguments that the models and kernels do not have.
cat >arguments.csv <<'END'
op,out,in,args
model,arguments,unusual arguments,arch=test
input,x,,sizes=2:6:9:11
pool,a,x,kernel=3 stride=2 pad=1 mode=average
output,a,a,
pool,b,x,kernel=3 stride=2 pad=1
output,b,b,
pool,c,x,kernel=2 mode=average
output,c,c,
resize,d,x,height=5 width=23
output,d,d,
resize,e,x,height=5 width=23 mode=bilinear
output,e,e,
resize,f,x,height=18 width=33 mode=bilinear
output,f,f,
resize,f2,x,height=18 width=33
output,f2,f2,
resize,f3,x,height=3 width=11
output,f3,f3,
conv,g,x,out=9 kernel=3 pad=2 pad_after=1 dilation=2 groups=3 stride=2 act=quickgelu
output,g,g,
groupnorm,h,x,groups=6
output,h,h,
groupnorm,i,x,groups=1 act=silu
output,i,i,
batchnorm,j,x,act=relu
output,j,j,
relu6,j1,x,alpha=4
output,j1,j1,
hardsigmoid,j2,x,alpha=2
output,j2,j2,
hardswish,j3,x,alpha=2
output,j3,j3,
mul,squares,x x,
exp,j4,x,
output,j4,j4,
sqrt,j5,squares,
output,j5,j5,
add,j6,squares squares,act=log
output,j6,j6,
erf,j7,x,
output,j7,j7,
sin,j8,x,
output,j8,j8,
cos,j9,x,
output,j9,j9,
reciprocal,j10,j4,
output,j10,j10,
input,v,,sizes=2:6
add,k,x v,channels=1
output,k,k,
mul,l,x x,act=tanh alpha=0.3
output,l,l,
input,t,,sizes=6:11
reshape,r,x,sizes=2:9:6:11
add,m,r t,
output,m,m,
input,s,,sizes=1
mul,n,x s,alpha=2
output,n,n,
input,q,,sizes=2:7:24
input,kk,,sizes=2:9:8
input,vv,,sizes=2:9:12
attention,o,q kk vv,heads=6 kv_heads=2 causal=1 past=1
output,o,o,
attention,p,q kk vv,heads=6 kv_heads=2
output,p,p,
rope,pp,q,heads=3 base=500
output,pp,pp,
relative,rel,,heads=3 tokens=40 keys=300 buckets=32 distance=128 both_ways=1
output,rel,rel,
relative,rel2,,name=rel2 heads=3 tokens=200 keys=200 buckets=16 distance=50
output,rel2,rel2,
input,w2,,sizes=6 dtype=float32 fill=uniform spread=900
sinusoid,si,w2,size=10
output,si,si,
layernorm,la,q,plain=1
output,la,la,
rmsnorm,lb,q,alpha=3
output,lb,lb,
reshape,rows,q,sizes=14:24
route,share which,rows,k=3
output,share,share,
output,which,which,
topk,best where,rows,k=5
output,best,best,
output,where,where,
matmul,mm,q q,transpose=1 alpha=0.5
output,mm,mm,
reshape,qq,q,sizes=14:24
slice,q1,qq,dim=1 from=0 size=10
slice,q2,qq,dim=1 from=10 size=10
matmul,mn,q1 q2,transpose=1 act=gelu
output,mn,mn,
END

cp "$ROOT/tests/device/small_kernels.txt" kernels
cat >>kernels <<'END'
gemm-2 transpose=1 m=5 n=17 k=65
gemm-3 dtype=int8 m=5 n=17 k=65
gemm-4 dtype=int8 m=5 n=17 k=65 transpose=1
END

if skip_unless onnxruntime "exported models give the results of ref" &&
	skip_unless onnx-python "exported models are valid"; then
	mkdir models && cd models || exit
	while read -r name _ small; do
		steps=0
		case $small in *new_tokens=*) steps=2 ;; esac
		# shellcheck disable=SC2086 # words
		{
			export_list "$name" model "$name" $steps $small
			[ $steps = 0 ] || export_list "$name-2" model "$name" 3 $small batch=2
		}
	done <"$ROOT/tests/device/small_models.txt"
	while read -r name small; do
		# shellcheck disable=SC2086 # words
		export_list "$name" kernel "${name%-[2-9]}" 0 $small
	done <../kernels
	export_list views model ../views.csv 0 n=6
	export_list arguments model ../arguments.csv 0
	"$VENV/bin/python" "$ROOT/tests/translate/compare_passes.py" ./* >../results 2>../err
	is "$? $(cat ../err)" "0 " "ONNX Runtime loads the exported models without a message"
	cd .. || exit
	while read -r name _ small; do
		is "$(wrong "$name")" '' "the exported model $name gives the results of ref"
		case $small in *new_tokens=*)
			is "$(wrong "$name-2")" '' "the exported model $name gives the results of ref with batch=2" ;;
		esac
	done <"$ROOT/tests/device/small_models.txt"
	while read -r name small; do
		is "$(wrong "$name")" '' "the exported kernel ${name%-[2-9]} gives the results of ref with $small"
	done <kernels
	is "$(wrong views)" '' "an exported model with unusual views gives the results of ref"
	is "$(wrong arguments)" '' "an exported model with unusual arguments gives the results of ref"
fi

# The exported operators do the work of the list. That of experts depends on the input, and that of Scan is not
# counted.
# macs MODEL OPTION...: prints the number of multiply-adds
macs() { bench-list --csv models "$@" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["macs"] }'; }
while read -r name _ small; do
	case $name in switch-base-8 | mixtral-small | mamba-130m) continue ;; esac
	options=$(for parameter in $small; do printf ' -P %s' "$parameter"; done)
	# shellcheck disable=SC2086 # words
	{
		bench-list --export one.onnx -M "$name" $options
		is "$(macs ./one.onnx)" "$(macs "$name" $options)" "the exported model $name has as many multiply-adds as its list"
	}
done <"$ROOT/tests/device/small_models.txt"

# Files.
small='-P image=32 -P width=8 -P classes=3'
# shellcheck disable=SC2086 # words
{
	ok "bench-list --export writes a file" bench-list --export inside.onnx -M resnet50 $small
	ok "--seed sets the seed of the weights" bench-list --export other.onnx -M resnet50 $small --seed 2
	bench-list --export again.onnx -M resnet50 $small --seed 1
	ok "the seed of the weights is 1 by default" cmp inside.onnx again.onnx
	status 1 "another seed gives other weights" cmp -s inside.onnx other.onnx
	bench-list --export - -M resnet50 $small >piped.onnx
	ok "bench-list --export - writes to standard output" cmp inside.onnx piped.onnx
	ok "--external-data writes two files" bench-list --export two.onnx -M resnet50 $small --external-data
}
is "$(bench-list --csv models ./inside.onnx | cut -d, -f7)" "$(bench-list --csv models ./two.onnx | cut -d, -f7)" \
	"a model with external data has the same number of weights"
like "$(bench-list --csv models ./inside.onnx)" '[, ]Reshape=1[ ,]' \
	"no Reshape keeps engines from fusing the additions of resnet50 with its convolutions"
is "$(($(wc -c <two.onnx) < 100000)) $(($(wc -c <two.onnx.data) > 100000))" "1 1" "the weights are in the second file"
if skip_unless onnxruntime "external data have the weights of the model" &&
	skip_unless onnx-python "external data are valid"; then
	is "$("$VENV/bin/python" - 2>&1 <<'END'
import onnx
inside, two = (onnx.load(name) for name in ("inside.onnx", "two.onnx"))
a, b = ({t.name: onnx.numpy_helper.to_array(t).tobytes() for t in m.graph.initializer} for m in (inside, two))
two = onnx.load("two.onnx", load_external_data=False)
offsets = [int(e.value) for t in two.graph.initializer for e in t.external_data if e.key == "offset"]
print(a == b, len(a) > 100, len(offsets) > 100, any(offset % 4096 for offset in offsets))
END
	)" "True True True False" "external data have the weights of the model"
fi

# Errors.
# shellcheck disable=SC2086 # words
status 2 "--external-data cannot go to standard output" bench-list --export - -M resnet50 $small --external-data
like "$(cat "$T/.err")" 'need a second file' "bench-list --export - reports that weights need a second file"
status 2 "--step needs new_tokens" bench-list --export x.onnx -M gpt2 --step
like "$(cat "$T/.err")" 'has no steps unless new_tokens is above 0' "--step reports that new_tokens is missing"
status 2 "--export rejects an unknown model" bench-list --export x.onnx -M nonesuch
status 2 "--export rejects an unknown parameter" bench-list --export x.onnx -M gpt2 -P layerz=1
like "$(cat "$T/.err")" "gpt2 has no parameter 'layerz'" "--export reports the unknown parameter"
status 2 "--export rejects an unknown dtype" bench-list --export x.onnx -M gpt2 -P dtype=float7
like "$(cat "$T/.err")" 'dtype=float7: no such element type' "--export reports the unknown dtype"
status 2 "--export rejects a dtype that ONNX does not have" bench-list --export x.onnx -M gpt2 -P dtype=tf32
like "$(cat "$T/.err")" 'tf32 is no element type of ONNX' "--export reports a dtype that ONNX does not have"
status 2 "--export needs a model or kernel" bench-list --export x.onnx
status 2 "--export rejects a model together with a kernel" bench-list --export x.onnx -M gpt2 -k copy
status 2 "--export rejects operands" bench-list --export x.onnx -M gpt2 models
status 2 "-M needs --export" bench-list -M gpt2
# The constants of x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), of Hendrycks and Gimpel, arXiv:1606.08415:
# a small error of them is less than the tolerance of a comparison in float32.
printf 'op,out,in,args\nmodel,g,gelu,arch=test\ninput,x,,sizes=1:8\ngelu_tanh,y,x,\noutput,y,y,\n' >gelu_tanh.csv
bench-list --export gelu_tanh.onnx -M ./gelu_tanh.csv
od -An -v -tx1 gelu_tanh.onnx | tr -d ' \n' >gelu_tanh.hex
like "$(cat gelu_tanh.hex)" 1327373d "an exported GELU with tanh has the published factor 0.044715 in float32"
like "$(cat gelu_tanh.hex)" 2a424c3f "an exported GELU with tanh has the factor sqrt(2/pi) in float32"

printf 'op,out,in,args\nmodel,none,no results,arch=test\nnop,,,\n' >none.csv
status 2 "--export rejects a list without results" bench-list --export x.onnx -M ./none.csv
like "$(cat "$T/.err")" 'none.csv: there is no output' "--export reports that a list has no results"
ok "a failed export leaves no file" test ! -e x.onnx -a ! -e x.onnx.data
status 2 "--export reports a directory that does not exist" bench-list --export none/x.onnx -k copy -P n=3
# shellcheck disable=SC2086 # words
status 2 "--export reports a full device" bench-list --export /dev/full -M resnet50 $small
done_testing
