# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the results of ref with those of ONNX Runtime for small models, one for each use of an operator.

Arguments: the program ref_passes, and an empty directory. Prints "NAME ERROR" for each model, where ERROR is the
largest difference relative to the largest element of ONNX Runtime; "NAME lack: MESSAGE" if the import refuses the
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


def outputs_of_ref(folder, path):
    """Returns the input and the outputs by name, or the reason why ref does not run the model."""
    run = subprocess.run([sys.argv[1], "model", path, "0", folder], capture_output=True, text=True)
    if run.returncode:
        return None, run.stderr.strip().removeprefix("ref_passes: ")
    x, made = None, {}
    for line in run.stdout.splitlines():
        field = line.split("\t")
        if field[1:3] == ["before", "input"]:
            x = np.fromfile(os.path.join(folder, field[6]))
        if field[1:3] == ["after", "output"]:
            made[field[3]] = np.fromfile(os.path.join(folder, field[6]))
    return x, made


def difference(a, b):
    if a.size != b.size:
        return f": {a.size} elements instead of {b.size}"
    apart = np.where(a == b, 0, np.abs(a - b)).max()
    return f" {apart / max(np.abs(b).max(), 1e-30):.2g}"


def check(name, nodes, shape, constants=(), outputs=("y",), opset=OPSET):
    """Compares a model of x, whose nodes are (operator, inputs, outputs, attributes)."""
    graph = helper.make_graph(
        [helper.make_node(op, i.split(" "), o.split(), name=f"{op}.{k}", **a) for k, (op, i, o, a) in enumerate(nodes)],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_empty_tensor_value_info(o) for o in outputs],
        [numpy_helper.from_array(np.asarray(v), k) for k, v in dict(constants).items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    folder = os.path.join(sys.argv[2], name)
    path = os.path.join(folder, "model.onnx")
    os.makedirs(folder)
    onnx.save(onnx.shape_inference.infer_shapes(model), path)
    x, made = outputs_of_ref(folder, path)
    if x is None:
        print(f"{name} lack: {made}" if "own backends" in made else f"{name}: {made}")
        return
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    wanted = session.run(None, {"x": x.astype("float32").reshape(shape)})
    for o, value in zip(outputs, wanted):
        error = difference(made[o], value.astype("float64").ravel()) if o in made else f": there is no output {o}"
        print((name if len(outputs) == 1 else f"{name}.{o}") + error)


def one(name, op, inputs, shape, constants=(), **attributes):
    opset = attributes.pop("opset", OPSET)
    check(name, [(op, inputs, "y", attributes)], shape, constants, opset=opset)


def number(x):
    return np.float32(x)


# Limits, of which the lowest is that of PyTorch's clamp(min=torch.finfo(x.dtype).min).
one("clip_lowest", "Clip", "x low", [3, 5], {"low": number(np.finfo("float32").min)})
one("clip_wide", "Clip", "x low high", [3, 5], {"low": number(-65504), "high": number(65504)})
one("clip_narrow", "Clip", "x low high", [3, 5], {"low": number(-0.5), "high": number(0.25)})
one("clip_low", "Clip", "x low high", [3, 5], {"low": number(-2.5), "high": number(-0.25)})
one("max_lowest", "Max", "x low", [3, 5], {"low": number(-1e30)})
# Numbers with more dimensions than the value.
one("add_dims", "Add", "x c", [3, 5], {"c": np.full((1, 1, 1), 2, "float32")})
one("mul_dims", "Mul", "c x", [3, 5], {"c": np.full((1, 1, 1), 2, "float32")})
one("max_dims", "Max", "x c", [3, 5], {"c": np.full((1, 1, 1), 0.5, "float32")})
one("pow_dims", "Pow", "x c", [3, 5], {"c": np.full((1, 1, 1), 2, "float32")})
# Sizes that are not the product of a size and a scale; a plane of one element.
plane = [1, 2, 5, 5]
for mode in "linear", "nearest":
    one(f"no_resize_{mode}_scale", "Resize", "x  s", plane, {"s": np.array([1, 1, 1.5, 1.5], "float32")}, mode=mode,
        coordinate_transformation_mode="half_pixel" if mode == "linear" else "asymmetric", nearest_mode="floor")
one("no_resize_one", "Resize", "x   s", plane, {"s": np.array([1, 2, 3, 1], "int64")}, mode="linear",
    coordinate_transformation_mode="pytorch_half_pixel")
one("resize_scale", "Resize", "x  s", plane, {"s": np.array([1, 1, 1.6, 2], "float32")}, mode="linear")
one("resize_size", "Resize", "x   s", plane, {"s": np.array([1, 2, 3, 7], "int64")}, mode="linear",
    coordinate_transformation_mode="pytorch_half_pixel")
one("no_dropout_training", "Dropout", "x r t", [3, 5], {"r": number(0.5), "t": np.array(True)})
one("dropout", "Dropout", "x r t", [3, 5], {"r": number(0.5), "t": np.array(False)})
