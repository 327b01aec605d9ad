# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the results of ref with those of ONNX Runtime for models that ONNX Runtime has quantized.

Arguments: the program ref_passes, an empty directory, and a model with one input and one output. Quantizes the model
and a small one with each choice of types, scales and zero points. Prints "NAME ERROR STEP" for each, where ERROR is the
largest difference from ONNX Runtime without fusion of operators, relative to the largest element, and STEP is the same
for ONNX Runtime as it is used, which multiplies integers; or "NAME lack: MESSAGE" if the import refuses the model.
"""
import logging
import os
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static

logging.disable(logging.WARNING)
ort.set_default_logger_severity(3)
program, folder, given = sys.argv[1:]
random = np.random.default_rng(1)


class Samples(CalibrationDataReader):
    def __init__(self, path):
        port = ort.InferenceSession(path, providers=["CPUExecutionProvider"]).get_inputs()[0]
        shape = [s if isinstance(s, int) else 1 for s in port.shape]
        self.left = [{port.name: random.standard_normal(shape).astype("float32")} for _ in range(4)]

    def get_next(self):
        return self.left.pop() if self.left else None


def small(path):
    """Writes a model of a convolution, a pooling, and a product."""
    weights = {
        "w": random.standard_normal((6, 3, 3, 3)) * np.arange(1, 7).reshape(6, 1, 1, 1),
        "b": random.standard_normal(6),
        "v": random.standard_normal((54, 5)),
    }
    graph = helper.make_graph(
        [
            helper.make_node("Conv", ["x", "w", "b"], ["c"], "conv", pads=[1, 1, 1, 1]),
            helper.make_node("Relu", ["c"], ["r"], "relu"),
            helper.make_node("MaxPool", ["r"], ["p"], "pool", kernel_shape=[2, 2], strides=[2, 2]),
            helper.make_node("Flatten", ["p"], ["f"], "flat"),
            helper.make_node("MatMul", ["f", "v"], ["y"], "product"),
        ],
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 6, 6])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 5])],
        [numpy_helper.from_array(v.astype("float32"), k) for k, v in weights.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def outputs_of_ref(path):
    """Returns the input and the output of ref, or the reason why ref does not run the model."""
    run = subprocess.run([program, "model", path, "0", folder], capture_output=True, text=True)
    if run.returncode:
        return run.stderr.strip().removeprefix("ref_passes: "), None
    found = {}
    for line in run.stdout.splitlines():
        field = line.split("\t")
        if field[1] not in ("before", "after"):
            continue
        found[" ".join(field[1:3])] = np.fromfile(os.path.join(folder, field[6]))
    return found["before input"], found["after output"]


def difference(path, x, made, level):
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.graph_optimization_level = level
    session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    port = session.get_inputs()[0]
    shape = [s if isinstance(s, int) else 1 for s in port.shape]
    wanted = session.run(None, {port.name: x.astype("float32").reshape(shape)})[0].ravel()
    return np.abs(made - wanted).max() / np.abs(wanted).max()


def check(name, model, activation, weight, form=QuantFormat.QDQ, **options):
    path = os.path.join(folder, f"{name}.onnx")
    if activation:
        quantize_static(model, path, Samples(model), form, activation_type=activation, weight_type=weight, **options)
    else:
        quantize_dynamic(model, path, weight_type=weight, **options)
    x, made = outputs_of_ref(path)
    if made is None:
        print(name, f"lack: {x}")
        return
    levels = ort.GraphOptimizationLevel
    print(name, *(f"{difference(path, x, made, v):.2g}" for v in (levels.ORT_DISABLE_ALL, levels.ORT_ENABLE_ALL)))


own = os.path.join(folder, "own.onnx")
small(own)
for label, source in ("small", own), ("given", given):
    check(f"{label}_uint8", source, QuantType.QUInt8, QuantType.QInt8)
    check(f"{label}_uint8_weights", source, QuantType.QUInt8, QuantType.QUInt8)
    check(f"{label}_int8", source, QuantType.QInt8, QuantType.QInt8, extra_options={"ActivationSymmetric": True})
    check(f"{label}_axis", source, QuantType.QInt8, QuantType.QInt8, per_channel=True)
    check(f"{label}_float_weights", source, QuantType.QUInt8, QuantType.QInt8, extra_options={"AddQDQPairToWeight": True})
    # In this form, an operator such as QLinearConv has the scales and zero points of its operands.
    operators = {"form": QuantFormat.QOperator, "reduce_range": True}
    check(f"{label}_operators_uint8", source, QuantType.QUInt8, QuantType.QUInt8, **operators)
    check(f"{label}_operators_int8", source, QuantType.QInt8, QuantType.QInt8, **operators)
    check(f"{label}_operators_axis", source, QuantType.QUInt8, QuantType.QInt8, per_channel=True, **operators)
    check(f"{label}_int16", source, QuantType.QInt16, QuantType.QInt8)
    # Processors without VNNI saturate the sums of products of more than 7 bits in ONNX Runtime.
    check(f"{label}_dynamic", source, None, QuantType.QInt8, reduce_range=True, op_types_to_quantize=["MatMul", "Gemm"])
    check(f"{label}_dynamic_axis", source, None, QuantType.QInt8, reduce_range=True, per_channel=True)
    check(f"{label}_dynamic_uint8", source, None, QuantType.QUInt8)
