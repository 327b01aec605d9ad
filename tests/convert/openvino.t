#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the report of OpenVINO's benchmark_app.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/formats
rows() { bench-convert "$1" | columns bench,device,api,hint,requests,iterations,metric,unit,value; }
is "$(rows "$data/openvino.json")" 'mlp.onnx,CPU,sync,latency,1,20,latency,ns,30000
mlp.onnx,CPU,sync,latency,1,,latency_median,ns,20000
mlp.onnx,CPU,sync,latency,1,,latency_min,ns,20000
mlp.onnx,CPU,sync,latency,1,,latency_max,ns,190000
mlp.onnx,CPU,sync,latency,1,,throughput,1/s,22246.35
mlp.onnx,CPU,sync,latency,1,,first,ns,6790000
mlp.onnx,CPU,sync,latency,1,,compile,ns,104170000
mlp.onnx,CPU,sync,latency,1,,load,ns,5780000
mlp.onnx,CPU,sync,latency,1,,wall,ns,900000' "bench-convert reads the results of OpenVINO's benchmark_app"
is "$(bench-convert "$data/openvino-failed.json" | columns bench,metric,value,status)" 'none.onnx,latency,,failed' \
	'bench-convert reads a model that benchmark_app could not read as failed'
sed 's/"latency (ms)"/"latency (90 percentile) (ms)"/; s/"min latency": "0.02"/"min latency": "0.00"/' "$data/openvino.json" >rounded.json
is "$(rows rounded.json | cut -d, -f7,9 | head -n 3 | tr '\n' ' ')" 'latency,30000 latency_max,190000 throughput,22246.35 ' \
	'a latency of benchmark_app that was rounded to 0, or of another percentile, is not read'
sed 's/"throughput"/"group": "{8, 256}", &/' "$data/openvino.json" >groups.json
status 2 'bench-convert rejects a report of benchmark_app in which the times of a group replace those of all' bench-convert groups.json

# With the program itself
model=$ROOT/tests/device/engine_models/mlp.onnx
if skip_unless openvino "bench-convert reads the throughput that benchmark_app prints"; then
	"$VENV/bin/python3" -c 'from openvino.tools.benchmark.main import main; main()' -m "$model" -shape "[4,8]" -d CPU \
		-hint latency -niter 100 -report_type no_counters -json_stats -report_folder "$T" >log 2>&1
	bench-convert -M throughput "$T/benchmark_report.json" | columns value >rate
	like "$(cat log)" "Throughput: *$(printf %.2f "$(cat rate)") FPS" 'bench-convert reads the throughput that benchmark_app prints'
fi
done_testing
