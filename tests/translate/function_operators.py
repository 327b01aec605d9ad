# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that have functions of their own; see operator_model.py."""
from onnx import helper, parser

from operator_model import check, constant

HEAD = '<opset_import: ["" : 20, "local" : 1], domain: "local">'


def function(text, **defaults):
    """Returns a function in ONNX's textual form, with default values of attributes."""
    made = parser.parse_function(HEAD + text)
    made.attribute_proto.extend(helper.make_attribute(k, v) for k, v in defaults.items())
    return made


dense = function("dense (a, w, b) => (d) { m = MatMul(a, w) d = Add(m, b) }")
leaky = function("leaky <slope> (a) => (d) { d = LeakyRelu <alpha: float = @slope> (a) }")
block = function("block <slope> (a, w, b) => (d) { m = local.dense(a, w, b) n = local.leaky <slope: float = @slope> (m) d = Add(n, m) }")
layer = {"w": constant(8, 8), "v": constant(8, 8), "b": constant(8)}
check("function", [("fn.dense", "x w b", "m", {}), ("fn.dense", "m v b", "y", {})], [3, 8], layer, functions=[dense])
check("function_attribute", [("fn.leaky", "x", "m", {"slope": 0.5}), ("fn.leaky", "m", "y", {"slope": 0.1})], [3, 8],
      functions=[leaky])
check("function_nested", [("fn.block", "x w b", "m", {"slope": 0.5}), ("fn.block", "m v b", "y", {"slope": 0.1})], [3, 8], layer,
      functions=[dense, leaky, block])
leaky = function("leaky (a) => (d) { d = LeakyRelu <alpha: float = @slope> (a) }", slope=0.25)
check("function_default", [("fn.leaky", "x", "m", {}), ("fn.leaky", "m", "y", {"slope": 0.5})], [3, 8], functions=[leaky])
leaky = function("leaky <slope> (a) => (d) { d = LeakyRelu <alpha: float = @slope> (a) }")
check("function_absent", [("fn.leaky", "x", "y", {})], [3, 8], functions=[leaky])
# Operands that a call lacks.
clip = function("limit (a, low, high) => (d, e) { d = Clip(a, low, high) e = Neg(d) }")
check("function_operands", [("fn.limit", "x  high", "m n", {}), ("fn.limit", "m low", "p y", {})], [3, 8],
      {"low": constant(), "high": constant()}, functions=[clip])
# ONNX Runtime computes an operator that it has, although the file has a function of this name.
relu = parser.parse_function('<opset_import: ["" : 20], domain: ""> Relu (a) => (d) { d = Abs(a) }')
check("function_standard", [("Relu", "x", "y", {})], [3, 8], functions=[relu])
# A graph in a function, which names values outside of it; and constants.
choice = function("""choice (a, w, c) => (d) {
    two = Constant <value_float: float = 2.0> ()
    d = If (c) <then_branch = g1 () => (float[M, N] e) { m = MatMul(a, w) e = Mul(m, two) },
                else_branch = g2 () => (float[M, N] e) { e = Mul(a, two) }> }""")
check("function_branch", [("Shape", "x", "s", {"start": 0, "end": 1}), ("Greater", "s one", "c", {}), ("Squeeze", "c", "z", {}),
                          ("fn.choice", "x w z", "m", {}), ("Not", "z", "no", {}), ("fn.choice", "m v no", "y", {})], [3, 8],
      layer | {"one": [1]}, functions=[choice])
