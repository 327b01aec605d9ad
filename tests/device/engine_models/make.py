# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the ONNX files of this directory, in the present directory.

    python3 make.py        needs the packages onnx and numpy
"""
import numpy as np
import onnx
from onnx import TensorProto as T, helper as h, numpy_helper


def save(name, nodes, inputs, outputs, weights=()):
    graph = h.make_graph(nodes, name, inputs, outputs, list(weights))
    model = h.make_model(graph, opset_imports=[h.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, name + ".onnx")


def value(name, shape, dtype=T.FLOAT):
    return h.make_tensor_value_info(name, dtype, shape)


def weight(name, array, dtype="f4"):
    return numpy_helper.from_array(np.asarray(array, dtype), name)


random = np.random.default_rng(1)

save("add", [h.make_node("Add", ["x", "y"], ["z"], "sum")], [value("x", [1]), value("y", [1])], [value("z", [1])])

# Two layers for a batch of open size.
save("mlp", [
    h.make_node("MatMul", ["x", "w1"], ["a"], "first"),
    h.make_node("Add", ["a", "b1"], ["b"], "bias"),
    h.make_node("Relu", ["b"], ["c"], "act"),
    h.make_node("MatMul", ["c", "w2"], ["y"], "second"),
], [value("x", ["batch", 8])], [value("y", ["batch", 4])], [
    weight("w1", random.normal(size=(8, 16)) * 0.3),
    weight("b1", random.normal(size=16)),
    weight("w2", random.normal(size=(16, 4)) * 0.3),
])

# A product of uint8 between QuantizeLinear and DequantizeLinear.
save("quantized", [
    h.make_node("QuantizeLinear", ["x", "sx", "zero"], ["xq"], "q_x"),
    h.make_node("DequantizeLinear", ["xq", "sx", "zero"], ["xd"], "dq_x"),
    h.make_node("DequantizeLinear", ["w", "sx", "zero"], ["wd"], "dq_w"),
    h.make_node("MatMul", ["xd", "wd"], ["m"], "product"),
    h.make_node("QuantizeLinear", ["m", "sy", "zero"], ["yq"], "q_y"),
    h.make_node("DequantizeLinear", ["yq", "sy", "zero"], ["y"], "dq_y"),
], [value("x", [4, 16])], [value("y", [4, 8])], [
    weight("w", random.integers(0, 256, size=(16, 8)), "u1"),
    weight("sx", 1 / 128),
    weight("sy", 1 / 32),
    weight("zero", 128, "u1"),
])

# A sum of fixed size and a list that grows, each the next value of an input.
save("states", [
    h.make_node("Add", ["sum", "x"], ["next_sum"], "add"),
    h.make_node("Concat", ["list", "x"], ["next_list"], "grow", axis=0),
], [value("x", [2]), value("sum", [2]), value("list", ["n"])], [value("next_sum", [2]), value("next_list", ["m"])])

# Elements of several types, an output whose size depends on the elements, and one that is no tensor.
save("types", [
    h.make_node("Cast", ["i"], ["whole"], "narrow", to=T.INT8),
    h.make_node("Not", ["b"], ["not"], "invert"),
    h.make_node("NonZero", ["i"], ["places"], "find"),
    h.make_node("Cast", ["i"], ["half"], "shorten", to=T.FLOAT16),
    h.make_node("SequenceConstruct", ["i", "i"], ["pair"], "pair"),
    h.make_node("Cast", ["i"], ["text"], "print", to=T.STRING),
], [value("i", [3], T.INT64), value("b", [1], T.BOOL)], [
    value("whole", [3], T.INT8), value("not", [1], T.BOOL), value("places", [1, "found"], T.INT64),
    value("half", [3], T.FLOAT16), h.make_tensor_sequence_value_info("pair", T.INT64, [3]),
    value("text", [3], T.STRING),
])
