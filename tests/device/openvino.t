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
list devices openvino >devices.csv
like "$(sed -n 2p devices.csv)" '^openvino,0,[^,]+,cpu,.*float32.*openvino 20[0-9][0-9]\.' \
	"the first device of the backend openvino is the processor"
is "$(sed -n 2p devices.csv | cut -d, -f 5)" "$(nproc)" "OpenVINO's processor has as many units as there are processors"
is "$(cut -d, -f 1 devices.csv | sort | uniq -c | sed 's/^ *//' | grep -c '^[4-9] openvino')" 1 \
	"the backend openvino lists a processor, a GPU, an NPU and the automatic choice"
is "$(cat err)" "" "the search for the devices of OpenVINO prints nothing"
done_testing
