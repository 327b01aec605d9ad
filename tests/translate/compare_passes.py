# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks exported models, and compares their results with those of ref_passes.

Arguments: directories, each with forward.onnx, perhaps step.onnx, and the list and files of
ref_passes. Prints "NAME ERROR" for each directory, where ERROR is the largest difference
relative to the largest element of the same value, or "NAME: MESSAGE".
"""
import os
import sys

import numpy as np
import onnx
import onnxruntime as ort

ort.set_default_logger_severity(2)
TYPES = {"bfloat16": "float32"}


def passes(folder):
    """Returns the passes: their pasts, values before and values after."""
    all_passes = {}
    for line in open(os.path.join(folder, "values")):
        field = line.rstrip("\n").split("\t")
        p = all_passes.setdefault(int(field[0]), {"past": 0, "before": {}, "after": {}})
        if field[1] == "past":
            p["past"] = int(field[2])
            continue
        when, role, name, dtype, sizes, number = field[1:]
        x = np.fromfile(os.path.join(folder, number))
        shape = [int(s) for s in sizes.split(",")]
        p[when][name] = (role, x.reshape(shape).astype(dtype))
    return [all_passes[i] for i in sorted(all_passes)]


def session(path):
    onnx.checker.check_model(path, full_check=True)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    return ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def difference(a, b):
    if a.shape != b.shape:
        return f"the shape is {a.shape}, not {b.shape}"
    if a.dtype != b.dtype:
        return f"the type is {a.dtype}, not {b.dtype}"
    if not np.isfinite(a).all():
        return "a number is not finite"
    if a.dtype.kind in "iu":
        return 0.0 if (a == b).all() else "the numbers differ"
    apart = np.abs(a.astype("float64") - b).max()
    return float(apart / max(np.abs(b).max(), 1e-30)) if apart else 0.0


def compare(folder):
    worst, carried = 0.0, {}
    sessions = [session(os.path.join(folder, "forward.onnx"))]
    todo = passes(folder)
    if len(todo) > 1:
        sessions.append(session(os.path.join(folder, "step.onnx")))
    for i, p in enumerate(todo):
        s = sessions[min(i, 1)]
        feed = {}
        for port in s.get_inputs():
            if port.name == "past":
                feed["past"] = np.array(p["past"], "int64")
            elif port.name in carried:
                feed[port.name] = carried[port.name]
            else:
                role, feed[port.name] = p["before"][port.name]
                if role == "state" and i:
                    return f"pass {i} reads {port.name}, which no pass has made"
        wanted = {n + (".after" if role == "state" else ""): x for n, (role, x) in p["after"].items()}
        made = dict(zip([o.name for o in s.get_outputs()], s.run(None, feed)))
        for name, x in wanted.items():
            # A step may only read a state, such as the keys of an encoder.
            if name not in made and i and name.endswith(".after"):
                made[name] = carried[name[: -len(".after")]]
            if name not in made:
                return f"pass {i}: there is no output {name}"
            d = difference(made[name], x)
            if isinstance(d, str):
                return f"pass {i}: {name}: {d}"
            worst = max(worst, d)
        if set(made) - set(wanted):
            return f"pass {i}: outputs too many: {set(made) - set(wanted)}"
        for name, x in made.items():
            if name.endswith(".after"):
                carried[name[: -len(".after")]] = x
    return worst


for directory in sys.argv[1:]:
    label = os.path.basename(directory)
    try:
        result = compare(directory)
    except Exception as e:  # the message of any library
        result = str(e).replace("\n", " ")
    print(f"{label} {result:.2g}" if isinstance(result, float) else f"{label}: {result}")
