#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Inferred shapes are those of the results in the test cases of the package onnx, for each operator.
. "${0%/*}/../lib/tap.sh"

if skip_unless onnx-python "inferred shapes are those of the test cases of the package onnx"; then
	timeout 300 "$VENV/bin/python" "$ROOT/tests/onnx/compare_shapes.py" "$BUILD/tests/inferred_shapes" >results 2>&1
	is "$(sed '$d' results)" "" "inferred shapes are those of the test cases of the package onnx"
	# The other results have shapes that depend on data, or operators without rules.
	ok "at least 1350 shapes of the test cases are inferred" test "$(tail -n 1 results)" -ge 1350
fi
done_testing
