# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the results of ref with those of ONNX Runtime for small models, one for each use of an
operator: those of operators.py and fused_operators.py.

Arguments of these programs: the program ref_passes, and a directory. Prints "NAME ERROR" for each model, where
ERROR is the largest difference relative to the largest element of ONNX Runtime; "NAME lack: MESSAGE" if the import refuses the
model; or "NAME: MESSAGE". The operands beside x are constants, as in the files of exporters.
"""
import os
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

OPSET = 20
ort.set_default_logger_severity(3)
random = np.random.default_rng(1)


def constant(*shape):
    return random.standard_normal(shape).astype("float32")


def outputs_of_ref(folder, path, param):
    """Returns the input and the outputs by name, or the reason why ref does not run the model."""
    run = subprocess.run([sys.argv[1], "model", path, "0", folder, *param], capture_output=True, text=True)
    if run.returncode:
        return None, run.stderr.strip().removeprefix("ref_passes: ")
    x, made = None, {}
    for line in run.stdout.splitlines():
        field = line.split("\t")
        if field[1:4] == ["before", "input", "x"]:
            x = np.fromfile(os.path.join(folder, field[6]))
        if field[1:3] == ["after", "output"]:
            made[field[3]] = np.fromfile(os.path.join(folder, field[6]))
    return x, made


def difference(a, b):
    if a.size != b.size:
        return f": {a.size} elements instead of {b.size}"
    same = a == b  # infinities, too
    apart = np.abs(np.where(same, 0, a) - np.where(same, 0, b)).max()
    return f" {apart / max(np.abs(b[np.isfinite(b)]).max(initial=0), 1e-30):.2g}"


DOMAINS = {"ms.": "com.microsoft", "ml.": "ai.onnx.ml", "fn.": "local"}


def node(op, inputs, outputs, name, attributes):
    domain = DOMAINS.get(op[:3], "")
    attributes = {k: numpy_helper.from_array(v) if isinstance(v, np.ndarray) else v for k, v in attributes.items()}
    return helper.make_node(op[3:] if domain else op, inputs.split(" "), outputs.split(), name=name, domain=domain, **attributes)


def check(name, nodes, shape, constants=(), outputs=("y",), opset=OPSET, more=(), learning=3, functions=()):
    """Compares a model of x and of more inputs (name, type, shape, elements), whose nodes are (operator, inputs, outputs, attributes). "ms." begins the operators of
    ONNX Runtime, "ml." those of the domain ai.onnx.ml, whose version is `learning`, and "fn." the functions of the model."""
    used = " ".join(n[1] for n in nodes).split(" ")
    graph = helper.make_graph(
        [node(op, i, o, f"{op}.{k}", a) for k, (op, i, o, a) in enumerate(nodes)],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)] + [helper.make_tensor_value_info(*m[:3]) for m in more],
        [helper.make_empty_tensor_value_info(o) for o in outputs],
        [numpy_helper.from_array(np.asarray(v), k) for k, v in dict(constants).items() if k in used],
    )
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1),
                             helper.make_opsetid("ai.onnx.ml", learning), helper.make_opsetid("local", 1)], ir_version=10,
        functions=functions)
    folder = os.path.join(sys.argv[2], name)
    path = os.path.join(folder, f"{name}.onnx")
    os.makedirs(folder)
    onnx.save(model if functions else onnx.shape_inference.infer_shapes(model), path)
    x, made = outputs_of_ref(folder, path, [f"{m[0]}={np.ravel(m[3])[0]}" for m in more if len(m[2]) < 2])
    if x is None:
        refused = "own backends" in made or (made and name.startswith("no_"))
        print(f"{name} lack: {made}" if refused else f"{name}: {made}")
        return
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    # By default, it would round the other operand of products with blocks of numbers to 8 bits.
    options.add_session_config_entry("session.qdq_matmulnbits_accuracy_level", "1")
    session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    wanted = session.run(None, {"x": x.astype("float32").reshape(shape)} | {m[0]: np.asarray(m[3]) for m in more})
    for o, value in zip(outputs, wanted):
        error = difference(made[o], value.astype("float64").ravel()) if o in made else f": there is no output {o}"
        print((name if len(outputs) == 1 else f"{name}.{o}") + error)


def one(name, op, inputs, shape, constants=(), **attributes):
    opset = attributes.pop("opset", OPSET)
    check(name, [(op, inputs, "y", attributes)], shape, constants, opset=opset)


def number(x):
    return np.float32(x)
