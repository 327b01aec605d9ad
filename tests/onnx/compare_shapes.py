# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares inferred shapes with the results of the operators' test cases in the package onnx.

Argument: the program inferred_shapes. Prints wrong results, and the number of right ones."""
import subprocess
import sys
import warnings

import onnx
from onnx.backend.test.case.node import collect_testcases

warnings.filterwarnings("ignore")
expected = {}
for number, case in enumerate(collect_testcases(None)):
    if case.model is None or not case.data_sets:
        continue
    path = f"{number}.onnx"
    with open(path, "wb") as out:
        out.write(case.model.SerializeToString())
    for value, result in zip(case.model.graph.output, case.data_sets[0][1]):
        if hasattr(result, "dtype") and result.dtype.kind != "O":
            kind = onnx.helper.np_dtype_to_tensor_dtype(result.dtype)
            expected[path, value.name] = case.name, str(int(kind)), ",".join(map(str, result.shape))

paths = sorted({path for path, _ in expected})
printed = subprocess.run([sys.argv[1], *paths], capture_output=True, text=True, check=False)
right = 0
for line in printed.stdout.splitlines():
    fields = line.split("\t")
    if len(fields) != 4:
        print(line)
        continue
    case, kind, shape = expected.get((fields[0], fields[1]), (None, None, None))
    if case is None or fields[3] == "?":
        continue
    if (kind, shape) == (fields[2], fields[3]):
        right += 1
    else:
        print(f"{case}: {fields[1]} has type {fields[2]} and shape [{fields[3]}] instead of {kind} [{shape}]")
print(right)
