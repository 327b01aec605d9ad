#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# slow
# ref gives the results that the ONNX project publishes for its operators, or the import refuses the model.
. "${0%/*}/../lib/tap.sh"
use_engines

skip_unless onnx-python "ref gives the published results of operators" || done_testing
"$VENV/bin/python3" -B "$ROOT/tests/translate/node_cases.py" "$BUILD/tests/ref_passes" cases >results 2>err
is "$? $(grep -v Warning err | grep -c Error)" "0 0" "all backend test cases of ONNX are read"
is "$(awk 'NF == 2 && $2 != "skip" && !($2 <= 1)' results)" "" "no accepted case has another result than the published one"
is "$(awk 'NF != 2 && $2 != "lack:"' results)" "" "each case that is not accepted is one that the import refuses"
accepted=$(awk 'NF == 2 && $2 <= 1' results | wc -l)
is "$((accepted >= 1160))" 1 "most backend test cases of operators on tensors are accepted"
is "$(grep ' lack: ' results | grep -v "use -b onnxruntime$")" "" "each refusal of a case suggests an engine"
done_testing
