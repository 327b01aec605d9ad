#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run measures ONNX files on backends that run operations; import_test compares the results with those
# of ONNX Runtime.
. "${0%/*}/../lib/tap.sh"

files=$ROOT/tests/fixtures/data/onnx
# run OPTIONS: takes one short sample on the backend cpu
run() { timeout 60 bench-run -q -e none -r 1 -w 0 --processes 1 --sample-time 1ms --no-peaks -b cpu "$@"; }
# cells COLUMN...: prints columns of the CSV rows on standard input
cells() {
	awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] != "rows" { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }'
}

run -M "$files/bert.onnx,$files/gpt2.onnx" -P tokens=6 -P batch=1,3 --check >text.csv 2>err
is "$? $(cat err)" "0 " "bench-run --check accepts transformers from ONNX files on the backend cpu"
is "$(cells bench batch tokens input_shape metric status <text.csv | grep wall | sort)" "bert.onnx 1 6 1x6 wall ok
bert.onnx 3 6 3x6 wall ok
gpt2.onnx 1 6 1x6 wall ok
gpt2.onnx 3 6 3x6 wall ok" "-P sets the open dimensions of ONNX files on the backend cpu"
run -M "$files/resnet.onnx,$files/vit.onnx,$files/mixed.onnx,$files/dense.onnx" --check --ops >image.csv 2>err
is "$? $(cat err)" "0 " "bench-run --check accepts networks from ONNX files on the backend cpu"
like "$(cells bench operation <image.csv | sort -u)" "resnet.onnx [0-9]* /stem/Conv" \
	"--ops names the operations of an ONNX file by their nodes"
run -M "$files/bert.onnx" -P tokens=6 -P dtype=float64 --check >double.csv 2>err
is "$? $(cells dtype status <double.csv | sort -u)" "0 float64 ok" "-P dtype converts the weights of an ONNX file"
run -M "$files/bert.onnx" >none.csv 2>err
is "$(cat err)" "bench-run: input 'input_ids' has the open dimension 'tokens'; set it, as in -P tokens=1" \
	"bench-run reports an open dimension of an ONNX file that is not set"
run -M "$files/resnet.onnx" -P dtype=int8 >int8.csv 2>err
is "$(cells status <int8.csv)" unsupported "an ONNX file is unsupported in int8 on the backend cpu"
run -M "$files/bert.onnx" -P tokens=6 --input attention_mask="$files/bert.input_ids.raw" >mask.csv 2>err
is "$? $(grep -c "attention_mask: no subject has an input of this name" err)" "2 1" \
	"--input rejects a mask of an ONNX file on the backend cpu"
# zip_of NAME FILE: prints a zip file with one member of 176 bytes, whose name has 5 characters
zip_of() {
	printf 'PK\003\004\024\0\0\0\0\0\0\0\0\0'
	gzip -c "$2" | tail -c 8 | head -c 4
	printf '\260\0\0\0\260\0\0\0\005\0\0\0%s' "$1"
	cat "$2"
	printf 'PK\001\002\024\0\024\0\0\0\0\0\0\0\0\0'
	gzip -c "$2" | tail -c 8 | head -c 4
	printf '\260\0\0\0\260\0\0\0\005\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0%s' "$1"
	printf 'PK\005\006\0\0\0\0\001\0\001\0\063\0\0\0\323\0\0\0\0\0'
}
{
	printf '\223NUMPY\001\000\166\000'
	printf "%-117s\n" "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 6), }"
	printf '\003\0\0\0\0\0\0\0\003\0\0\0\0\0\0\0\003\0\0\0\0\0\0\0\003\0\0\0\0\0\0\0\003\0\0\0\0\0\0\0\003\0\0\0\0\0\0\0'
} >ids.npy
zip_of t.npy ids.npy >ids.npz
run -M "$files/bert.onnx" -P tokens=6 --check --input input_ids=ids.npz:t >archive.csv 2>err
is "$? $(cat err)" "0 " "--input reads an array of an archive for an ONNX file on the backend cpu"
sed 's/\(<i8.*\)6/\15/' ids.npz >damaged.npz
run -M "$files/bert.onnx" -P tokens=6 --input input_ids=damaged.npz:t >archive.csv 2>err
like "$(cat err)" 'damaged.npz: the archive is damaged' "--input rejects an archive with another checksum"
mkdir ids
{ head -c 10 ids.npy && printf "%-117s\n" "{'descr': '<i8', 'fortran_order': False, 'shape': (6,), }" && tail -c 48 ids.npy; } >ids/0.npy
run -M "$files/bert.onnx" -P tokens=6 -P batch=3 --input input_ids=ids >rows.csv 2>err
is "$? $(cat err)" "0 " "--input repeats the files of a directory for an ONNX file on the backend cpu"
mkfifo pipe
status 1 "--input rejects a file that is not regular, without waiting for it" timeout 60 bench-run -e none -r 1 -w 0 --processes 1 \
	-b cpu -M "$files/bert.onnx" -P tokens=6 --input input_ids=pipe
like "$(cat "$T/.err")" 'pipe: not a regular file' "--input reports a file that is not regular"
head -c 3000 "$files/resnet.onnx" >cut.onnx
run -M cut.onnx >cut.csv 2>err
is "$(grep -c '^bench-run: cut.onnx: ' err)" 1 "bench-run reports a truncated ONNX file in one line"

# A model of x[device,3], which is multiplied by the number `rate`.
base64 -d >columns.onnx <<'END2'
CAg6dQoaCgRyYXRlEgFyIgRDYXN0KgkKAnRvGAGgAQIKDgoBeAoBchIBeSIDTXVsEgFnWhkKAXgS
FAoSCAESDgoIEgZkZXZpY2UKAggDWg4KBHJhdGUSBgoECAcSAGIZCgF5EhQKEggBEg4KCBIGZGV2
aWNlCgIIA0IECgAQEQ==
END2
run -M columns.onnx -P x.0=2 -P rate.value=3 --check >columns.csv 2>err
is "$? $(cat err) $(cells input_shape x.0 rate.value metric <columns.csv | grep wall)" "0  2x3 2 3 wall" \
	"Inputs and dimensions of an ONNX file that have the names of columns have longer names"

# A file that was read can be written again.
# Models that cast p to the positions of a Gather or GatherND from x[0:0].
base64 -d >Gather.onnx <<'END2'
CAg6iwEKFwoBcBIBaSIEQ2FzdCoJCgJ0bxgHoAECChYKAXgKAXoKAXoKAXoSAWUiBVNsaWNlChEK
AWUKAWkSAXkiBkdhdGhlchIBZyoRCAEQB0IBekoIAAAAAAAAAABaEwoBeBIOCgwIARIICgIIAwoC
CANaDwoBcBIKCggIARIECgIIAWIJCgF5EgQKAggBQgQKABASQhEKDWNvbS5taWNyb3NvZnQQAQ==
END2
base64 -d >GatherND.onnx <<'END2'
CAg6kQEKFwoBcBIBaSIEQ2FzdCoJCgJ0bxgHoAECChYKAXgKAXoKAXoKAXoSAWUiBVNsaWNlChMK
AWUKAWkSAXkiCEdhdGhlck5EEgFnKhEIARAHQgF6SggAAAAAAAAAAFoTCgF4Eg4KDAgBEggKAggD
CgIIA1oTCgFwEg4KDAgBEggKAggBCgIIAWIJCgF5EgQKAggBQgQKABASQhEKDWNvbS5taWNyb3Nv
ZnQQAQ==
END2
for op in Gather GatherND; do
	run -M $op.onnx >empty.csv 2>err
	like "$?$(cat err)" '^2.*it selects from a value without elements' "$op from no elements is refused"
done

bench-list --export again.onnx -M "$files/dense.onnx" >out 2>err
is "$? $(cat err)" "0 " "bench-list --export writes an ONNX file that was read"
run -M again.onnx --check >again.csv 2>err
is "$? $(cat err)" "0 " "bench-run --check accepts an ONNX file that was exported again"

# The results next to the files are those of the installed ONNX Runtime.
if skip_unless onnxruntime "ONNX Runtime computes the results next to the files"; then
	cat >compare.py <<'END_OF_SCRIPT'
import os, sys
import numpy as np
import onnxruntime

folder = sys.argv[1]
for name in sorted(f[:-5] for f in os.listdir(folder) if f.endswith(".onnx")):
    path = os.path.join(folder, name)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    if name == "quantized":  # fused operators multiply integers, and round elsewhere
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(path + ".onnx", options, providers=["CPUExecutionProvider"])
    feed, count = {}, 0
    for port in session.get_inputs():
        raw = f"{path}.{port.name}.raw"
        if not os.path.exists(raw):  # a mask, of the size of the tokens before it
            feed[port.name] = np.ones_like(next(iter(feed.values())))
            continue
        whole = port.type == "tensor(int64)"
        x = np.fromfile(raw, "<i4" if whole else "<f4")
        shape = [n if isinstance(n, int) else 12 if n == "tokens" else -1 for n in port.shape]
        feed[port.name] = x.astype(np.int64 if whole else np.float32).reshape(shape)
    out, = session.run(None, feed)
    wanted = np.fromfile(path + ".out.raw", "<f4").reshape(out.shape)
    print(name, "equal" if abs(out - wanted).max() <= 1e-4 * abs(wanted).max() else "different")
END_OF_SCRIPT
	is "$(timeout 60 "$VENV/bin/python3" compare.py "$files" 2>&1 | tr '\n' ';')" \
		"bert equal;dense equal;gpt2 equal;mixed equal;quantized equal;resnet equal;vit equal;" \
		"ONNX Runtime computes the results next to the files"
fi

done_testing
