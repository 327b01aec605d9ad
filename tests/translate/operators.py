# SPDX-License-Identifier: GPL-3.0-or-later
"""The uses of standard operators that compute elements, place them or reduce them; see operator_model.py."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper

from operator_model import check, constant, number, one

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
    one(f"resize_{mode}_scale", "Resize", "x  s", plane, {"s": np.array([1, 1, 1.5, 1.5], "float32")}, mode=mode,
        coordinate_transformation_mode="half_pixel" if mode == "linear" else "asymmetric", nearest_mode="floor")
one("resize_one", "Resize", "x   s", plane, {"s": np.array([1, 2, 3, 1], "int64")}, mode="linear",
    coordinate_transformation_mode="pytorch_half_pixel")
one("resize_scale", "Resize", "x  s", plane, {"s": np.array([1, 1, 1.6, 2], "float32")}, mode="linear")
one("resize_size", "Resize", "x   s", plane, {"s": np.array([1, 2, 3, 7], "int64")}, mode="linear",
    coordinate_transformation_mode="pytorch_half_pixel")
sizes = {"s": np.array([1, 2, 8, 3], "int64")}
for mode in "linear", "cubic":
    for place in "half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric":
        one(f"resize_{mode}_{place}", "Resize", "x   s", plane, sizes, mode=mode, coordinate_transformation_mode=place)
    one(f"resize_{mode}_antialias", "Resize", "x   s", [1, 2, 9, 11], sizes, mode=mode, antialias=1)
one("resize_cubic_outside", "Resize", "x   s", plane, sizes, mode="cubic", exclude_outside=1, cubic_coeff_a=-0.5)
for near in "round_prefer_floor", "round_prefer_ceil", "floor", "ceil":
    for place in "half_pixel", "align_corners", "asymmetric":
        one(f"resize_nearest_{place}_{near}", "Resize", "x   s", plane, sizes, mode="nearest",
            coordinate_transformation_mode=place, nearest_mode=near)
one("resize_line", "Resize", "x  f", [1, 2, 5], {"f": np.float32([1, 1, 2])}, mode="linear")
one("resize_axes", "Resize", "x   f", plane, {"f": np.array([7, 9])}, mode="linear", axes=[2, 3])
one("no_resize_crop", "Resize", "x r  s", plane, sizes | {"r": np.float32([0, 0, 0, 0, 1, 1, 1, 1])}, mode="linear",
    coordinate_transformation_mode="tf_crop_and_resize")
one("no_dropout_training", "Dropout", "x r t", [3, 5], {"r": number(0.5), "t": np.array(True)})
one("dropout", "Dropout", "x r t", [3, 5], {"r": number(0.5), "t": np.array(False)})

# Functions of each element, and those that several operations compute.
for op in "Cos", "Elu", "Erf", "Exp", "HardSigmoid", "HardSwish", "Mish", "Sin", "Softsign", "Gelu", "Selu", "Celu":
    one(op.lower(), op, "x", [3, 5])
for op in "Acosh", "Asin", "Acos", "Asinh", "Atan", "Atanh", "Cosh", "Sinh", "Tan":
    inside = [("Tanh", "x", "t", {})] if op[:2] == "As" and op != "Asinh" or op in ("Acos", "Atanh") else [("Mul", "x c", "t", {})]
    inside += [("Add", "t one", "u", {}), ("Abs", "u", "v", {}), ("Add", "v one", "w", {})] if op == "Acosh" else []
    check(op.lower(), [*inside, (op, "w" if op == "Acosh" else "t", "y", {})], [3, 50],
          {"c": number(0.5 if op == "Tan" else 3), "one": number(1)})
check("atan_far", [("Mul", "x c", "t", {}), ("Atan", "t", "y", {})], [3, 50], {"c": number(1e30)})
one("shrink", "Shrink", "x", [3, 5], lambd=0.3, bias=0.2)
one("thresholded_relu", "ThresholdedRelu", "x", [3, 5], alpha=0.3)
one("mean", "Mean", "x a b", [3, 5], {"a": constant(5), "b": constant(3, 1)})
for size in 1, 3, 5:
    one(f"lrn_{size}", "LRN", "x", [2, 7, 3, 2], size=size, alpha=0.3, beta=0.6, bias=1.5)
for upper in 0, 1:
    for diagonal in -2, 0, 1:
        one(f"trilu_{upper}_{diagonal}".replace("-", "minus_"), "Trilu", "x k", [2, 4, 5], {"k": np.int64(diagonal)}, upper=upper)
one("gelu_tanh", "Gelu", "x", [3, 5], approximate="tanh")
one("hardsigmoid_other", "HardSigmoid", "x", [3, 5], alpha=0.3, beta=0.25)
one("elu_other", "Elu", "x", [3, 5], alpha=0.7)
one("celu_other", "Celu", "x", [3, 5], alpha=0.7)
one("clip_six", "Clip", "x low high", [3, 5], {"low": number(0), "high": number(6)})
one("prelu_channels", "PRelu", "x c", plane, {"c": constant(2, 1, 1)})
one("prelu_one", "PRelu", "x c", plane, {"c": constant(1)})
positive = [("Mul", "x x", "s", {}), ("Add", "s one", "p", {})]
ones = {"one": number(0.5)}
for op in "Log", "Sqrt", "Reciprocal":
    check(op.lower(), positive + [(op, "p", "y", {})], [3, 5], ones)
for power in -1, -0.5, 0.5, 1, 2, 3, 4:
    check(f"pow_{power}".replace("-", "minus_"), positive + [("Pow", "p c", "y", {})], [3, 5], ones | {"c": number(power)})
for power in 1.5, -2, -0.25:
    check(f"pow_part_{power}".replace("-", "minus_"), positive + [("Pow", "p c", "y", {})], [3, 5], ones | {"c": number(power)})
one("pow_base", "Pow", "c x", [3, 5], {"c": number(2.5)})
one("no_pow_computed", "Pow", "x x", [3, 5])
one("no_pow_large", "Pow", "x c", [3, 5], {"c": number(65)})
check("div", positive + [("Div", "x p", "y", {})], [3, 5], ones)
check("div_number", positive + [("Div", "c p", "y", {})], [3, 5], ones | {"c": number(-3)})
check("div_rows", positive + [("ReduceSum", "p a", "r", {}), ("Div", "x r", "y", {})], [3, 5],
      ones | {"a": np.array([1], "int64")})
check("div_expanded", positive + [("ReduceSum", "p a", "r", {}), ("Expand", "r e", "f", {}), ("Div", "x f", "y", {})],
      [3, 5], ones | {"a": np.array([1], "int64"), "e": np.array([3, 5], "int64")})
one("div_constant", "Div", "c x", [3, 5], {"c": constant(3, 1)})
one("no_div_zero", "Div", "x c", [3, 5], {"c": number(0)})
one("sum", "Sum", "x a b", [3, 5], {"a": constant(5), "b": constant(3, 1)})
one("no_add_axis", "Add", "x c", [3, 3, 3], {"c": constant(3)}, opset=6, axis=0, broadcast=1)
# Choices by a constant, as PyTorch exports masks.
mask = np.triu(np.ones((4, 4), bool), 1)
for kind, value in ("number", -1e9), ("infinity", -np.inf):
    check(f"where_{kind}", [("Where", "m c x", "s", {}), ("Softmax", "s", "y", {})], [2, 4, 4],
          {"m": mask, "c": number(value)})
one("where_values", "Where", "m x c", [2, 4, 4], {"m": mask, "c": constant(2, 4, 4)})
one("where_self", "Where", "m x n", [4, 4], {"m": mask, "n": constant(4, 4)})
signs = np.where(mask, -1, 1).astype("float32")  # the roots of the numbers that the mask hides are NaN
roots = [("Mul", "x x", "s", {}), ("Mul", "s signs", "p", {}), ("Sqrt", "p", "r", {})]
for kind, chosen in ("left", "other r c"), ("right", "m c r"):
    check(f"where_hides_{kind}", roots + [("Where", chosen, "y", {})], [4, 4],
          {"m": mask, "other": ~mask, "signs": signs, "c": number(7)})
# Comparisons and truth values, some of which are results of the model.
wide = {"c": number(0), "d": constant(5), "e": constant(3, 1), "f": np.float32([[-1], [2], [0]])}
check("where_computed", [("Greater", "x c", "b", {}), ("Where", "b x d", "y", {})], [3, 5], wide)
check("where_computed_infinity", [("Less", "x c", "b", {}), ("Where", "b c i", "s", {}), ("Exp", "s", "y", {})], [3, 5],
      wide | {"i": number(-np.inf)})
check("where_computed_nan", [("Greater", "x c", "b", {}), ("Sqrt", "x", "r", {}), ("Where", "b r d", "y", {})], [3, 5], wide)
for op in "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal":
    check(f"compare_{op.lower()}", [("Clip", "x c", "t", {}), (op, "t c", "y", {})], [3, 5], wide)
    check(f"compare_{op.lower()}_rows", [(op, "x d", "y", {})], [3, 5], wide)
for op in "And", "Or", "Xor":
    check(f"logic_{op.lower()}", [("Greater", "x c", "a", {}), ("Less", "x d", "b", {}), (op, "a b", "y", {})], [3, 5], wide)
check("logic_not", [("Greater", "x c", "a", {}), ("Not", "a", "y", {})], [3, 5], wide)
check("cast_truth", [("Relu", "x", "r", {}), ("Cast", "r", "b", {"to": TensorProto.BOOL}),
                     ("Cast", "b", "i", {"to": TensorProto.INT64}), ("Cast", "i", "g", {"to": TensorProto.FLOAT}),
                     ("Add", "g d", "y", {})], [3, 5], wide)
check("cast_integer", [("Cast", "x", "i", {"to": TensorProto.INT64}), ("Cast", "i", "y", {"to": TensorProto.FLOAT})], [3, 5])
for axis in 0, 1, -1:
    for exclusive, reverse in (0, 0), (1, 0), (0, 1), (1, 1):
        one(f"cumsum_{axis % 9}{exclusive}{reverse}", "CumSum", "x a", [3, 4, 5], {"a": np.int64(axis)},
            exclusive=exclusive, reverse=reverse)
# Whole parts, of numbers that are whole, near to whole ones, and far from 0.
parts = {"c": np.float32([[-3], [0.5], [4e5]]), "d": np.float32([-2.5, -1, 0, 1.5, 3])}
whole = [("Mul", "x c", "s", {}), ("Concat", "s e", "t", {"axis": 0})]
near = {"e": np.float32([[-1.5, -0.5, 0.5, 2.5, 1e-30], [-2, 1, 0, 16777215, -1e-30], [-1e-9, 2.9999998, -3.0000002, 8388607.5, -5]])}
for op in "Floor", "Ceil", "Round", "Sign":
    check(op.lower(), [*whole, (op, "t", "y", {})], [3, 5], parts | near)
for name, divisor, more in ("", 2.5, {"fmod": 1}), ("_floor", 3, {}):
    kind = "float32" if more else "int64"
    check(f"mod{name}", [*whole, ("Cast", "t", "i", {"to": TensorProto.FLOAT if more else TensorProto.INT64}),
                         ("Mod", "i m", "r", more), ("Cast", "r", "y", {"to": TensorProto.FLOAT})], [3, 5],
          {"c": number(7), "e": np.float32([[-6, -3, 0, 3, 6]]), "m": np.array(divisor, kind)})
for divisor in 3, -4:
    check(f"div_whole_{divisor}".replace("-", "minus_"),
          [*whole, ("Cast", "t", "i", {"to": TensorProto.INT64}), ("Div", "i m", "r", {}),
           ("Cast", "r", "y", {"to": TensorProto.FLOAT})], [3, 5],
          {"c": number(70), "e": np.float32([[-8, -4, 0, 3, 12]]), "m": np.int64(divisor)})
one("no_mod_computed", "Mod", "x x", [3, 5], fmod=1)
for op in "Max", "Min":
    check(f"{op.lower()}_computed", [("Neg", "x", "n", {}), (op, "n x d", "y", {})], [3, 5], parts)
    check(f"{op.lower()}_far", [("Neg", "x", "n", {}), (op, "n l", "m", {}), (op, "x m", "y", {})], [3, 5],
          {"l": np.full((3, 5), -3.4e38, "float32")})
check("clip_computed", [("ReduceMin", "x a", "n", {}), ("Neg", "n", "p", {}), ("Squeeze", "n", "low", {}),
                        ("Squeeze", "p", "high", {}), ("Mul", "x c", "s", {}), ("Clip", "s low high", "y", {})], [3, 5],
      {"a": np.array([0, 1]), "c": number(3)})
# Arithmetic with positions and truth values.
found = [("ArgMax", "x", "k", {"axis": 1, "keepdims": 0})]
check("positions_sum", [*found, ("Mul", "k two", "d", {}), ("Add", "d k", "y", {})], [3, 5], {"two": np.int64(2)})
check("truth_sum", [("Greater", "x c", "b", {}), ("Cast", "b", "i", {"to": TensorProto.INT32}),
                    ("ReduceSum", "i a", "y", {"keepdims": 0})], [3, 5], wide | {"a": np.array([1])})
check("truth_first", [("Greater", "x c", "b", {}), ("Cast", "b", "i", {"to": TensorProto.INT32}),
                      ("ArgMax", "i", "y", {"axis": 1})], [3, 5], wide)
for axis in 0, 1, -1:
    check(f"one_hot_{axis % 9}", [*found, ("OneHot", "k depth v", "y", {"axis": axis})], [4, 5],
          {"depth": np.int64(5), "v": np.float32([0.5, 2])})
# Elements at computed positions, of which some count from the end.
check("gather_table", [*found, ("Gather", "t k", "y", {})], [3, 5], {"t": constant(5, 4)})
check("gather_computed", [*found, ("Sub", "k four", "n", {}), ("Gather", "x n", "y", {"axis": 1})], [3, 5], {"four": np.int64(4)})
check("gather_computed_matrix", [("ArgMax", "x", "k", {"axis": 2}), ("Gather", "x k", "y", {"axis": 1})], [2, 5, 3])
check("gather_computed_first", [("ArgMax", "x", "k", {"axis": 2}), ("Gather", "c k", "y", {})], [2, 4, 3], {"c": constant(3, 2, 2)})
check("gather_computed_one", [("Reshape", "x s", "f", {}), ("ArgMax", "f", "k", {"keepdims": 0}), ("Gather", "f k", "y", {})],
      [3, 5], {"s": np.array([15])})
check("gather_computed_whole", [*found, ("Gather", "i k", "y", {})], [3, 5], {"i": np.array([7, 3, 9, 1, 100])})
best = [("TopK", "x k", "v p", {"axis": 1})]
two = {"k": np.array([2])}
check("gather_elements", [*best, ("GatherElements", "c p", "y", {"axis": 1})], [2, 5, 3], two | {"c": constant(2, 5, 3)})
check("gather_elements_fewer", [*best, ("GatherElements", "c p", "y", {"axis": 1})], [2, 5, 3], two | {"c": constant(3, 5, 4)})
check("gather_elements_rows", [*best, ("Slice", "p z o t", "q", {}), ("Expand", "q e", "r", {}),
                               ("GatherElements", "x r", "y", {"axis": 1})], [2, 5, 3],
      two | {"z": np.array([0]), "o": np.array([1]), "t": np.array([2]), "e": np.array([2, 2, 3])})
check("gather_elements_last", [("ArgMin", "x", "p", {"axis": -1}), ("Sub", "p n", "q", {}),
                               ("GatherElements", "x q", "y", {"axis": 2})], [2, 5, 3], {"n": np.int64(3)})
pairs = [("ArgMax", "x", "k", {"axis": 1}), ("Concat", "i k", "p", {"axis": 1})]
check("gather_nd_computed", [*pairs, ("GatherND", "x p", "y", {})], [3, 5], {"i": np.array([[2], [-3], [1]])})
check("gather_nd_computed_batch", [("ArgMax", "x", "k", {"axis": 1}), ("GatherND", "x k", "y", {"batch_dims": 1})], [3, 5])
check("gather_nd_computed_rows", [("ArgMax", "x", "k", {"axis": 1, "keepdims": 1}), ("GatherND", "c k", "y", {})], [3, 5],
      {"c": constant(5, 2, 2)})
# Images at computed places, some of which are outside.
for mode in "linear", "nearest":
    for padding in "zeros", "border":
        for aligned in 0, 1:
            check(f"grid_sample_{mode}_{padding}_{aligned}",
                  [("Mul", "x c", "g", {}),
                   ("GridSample", "i g", "y", {"mode": mode, "padding_mode": padding, "align_corners": aligned})],
                  [2, 3, 4, 2], {"c": number(0.9), "i": constant(2, 3, 5, 6)})
one("no_grid_sample_cubic", "GridSample", "i x", [1, 3, 4, 2], {"i": constant(1, 2, 5, 6)}, mode="cubic")
one("no_grid_sample_reflection", "GridSample", "i x", [1, 3, 4, 2], {"i": constant(1, 2, 5, 6)}, padding_mode="reflection")
# Branches, of which an output may be a value outside of them, and a choice inside a branch.


def branch(*nodes, output):
    """Returns a graph without inputs."""
    return helper.make_graph([helper.make_node(op, i.split(" "), [o], name=f"{op}.{o}", **a) for op, i, o, a in nodes],
                             output, [], [helper.make_empty_tensor_value_info(output)],
                             [numpy_helper.from_array(constant(5), f"own_{output}")])


def choice(condition, then, otherwise):
    return "If", condition, "y", {"then_branch": then, "else_branch": otherwise}


scaled = branch(("Mul", "x own_scaled", "scaled", {}), output="scaled")
exp = branch(("Exp", "x", "exp", {}), output="exp")
condition = [("Shape", "x", "s", {}), ("Gather", "s one", "size", {}), ("Equal", "size c", "b", {})]
for name, size in ("then", 5), ("else", 4):
    check(f"if_{name}", [*condition, choice("b", scaled, exp), ("Identity", "x", "unused", {})], [3, 5],
          {"one": np.int64(1), "c": np.int64(size)})
nested = branch(choice("false", exp, scaled)[:1] + ("false", "inner", choice("false", exp, scaled)[3]), output="inner")
check("if_nested", [choice("true", nested, branch(("Neg", "x", "neg", {}), output="neg")), ("Not", "false", "unused", {})],
      [3, 5], {"true": np.array(True), "false": np.array(False)})
# Inputs that no operation reads, and those that are one number.
check("unused_input", [("Exp", "x", "y", {})], [3, 5], more=[("u", TensorProto.FLOAT, [2, 3], constant(2, 3))])
for rate in 8000, 16000:
    check(f"number_input_{rate}", [("Equal", "sr c", "b", {}), choice("b", scaled, exp)], [3, 5], {"c": np.int64(16000)},
          more=[("sr", TensorProto.INT64, [], np.int64(rate))])
# Loops whose number of steps is known, or not.
def graph(nodes, ins, outs):
    kinds = {"i": TensorProto.INT64, "c": TensorProto.BOOL, "go": TensorProto.BOOL, "n": TensorProto.INT64}
    value = lambda v: helper.make_tensor_value_info(v, kinds.get(v, TensorProto.FLOAT), [] if v in kinds else None)
    return helper.make_graph([helper.make_node(o, i.split(), r.split(), **a) for o, i, r, a in nodes], "body",
                             [value(v) for v in ins.split()], [value(v) for v in outs.split()])


steps = graph([("Gather", "x i", "row", {}), ("Add", "s row", "t", {}), ("Mul", "t row", "each", {}),
               ("Less", "i last", "go", {}), ("Identity", "c", "spare", {})], "i c s", "go t each")
loop = {"zero": np.zeros(4, "float32"), "true": np.array(True), "five": np.int64(5), "last": np.int64(2)}
check("loop_count", [("Identity", "last", "unused", {}), ("Loop", "five true zero", "y z", {"body": steps})], [5, 4], loop | {"last": np.int64(9)}, outputs=("y", "z"))
check("loop_condition", [("Identity", "last", "unused", {}), ("Loop", " true zero", "y z", {"body": steps})], [5, 4], loop, outputs=("y", "z"))
check("loop_no_condition", [("Identity", "last", "unused", {}), ("Loop", "five  zero", "y z", {"body": steps})], [5, 4], loop, outputs=("y", "z"))
computed = graph([("ReduceSum", "s", "sum", {"keepdims": 0}), ("Less", "sum ten", "go", {}), ("Abs", "s", "t", {})], "i c s", "go t")
check("no_loop_computed", [("Identity", "ten", "unused", {}), ("Loop", "five true x", "y", {"body": computed})], [5, 4], loop | {"ten": number(10)})
running_loop = graph([("Add", "s s", "t", {}), ("Identity", "c", "go", {})], "i c s", "go t")
running = graph([("Add", "s row", "t", {}), ("Neg", "t", "each", {})], "s row", "t each")
check("scan", [("Scan", "zero x", "y z", {"body": running, "num_scan_inputs": 1})], [3, 4], loop, outputs=("y", "z"))
check("scan_axes", [("Scan", "zero x", "y z", {"body": running, "num_scan_inputs": 1, "scan_input_axes": [1],
                                              "scan_output_axes": [-1], "scan_input_directions": [1], "scan_output_directions": [1]})],
      [4, 3], loop, outputs=("y", "z"))
check("loop_negative", [("Identity", "last", "unused", {}), ("Loop", "less true zero", "sum", {"body": running_loop}), ("Add", "x sum", "y", {})],
      [5, 4], loop | {"less": np.int64(-1)})
# Names of the body that are those of other values of its steps in files of other exporters, and a number of the step in a list.
check("scan_names", [("Scan", "zero x", "y z w", {"body": graph([("Add", "s v", "joined1", {}), ("Neg", "joined1", "0", {}), ("Abs", "0", "1", {})],
                                                                "s v", "joined1 0 1"), "num_scan_inputs": 1})], [3, 4], loop, outputs=("y", "z", "w"))
listed = graph([("Gather", "x i", "row", {}), ("Concat", "row s", "t", {"axis": 0}), ("Identity", "c", "go", {})], "i c s", "go t")
listed.input[0].type.tensor_type.shape.dim.add().dim_value = 1
check("loop_list", [("Loop", "five true rows", "t", {"body": listed}), ("Neg", "t", "y", {})], [5, 4], loop | {"rows": constant(1, 4)})
# Bodies whose steps would take too much memory.
many = graph([("Neg", "a0", "r", {})], " ".join(f"a{i}" for i in range(100)), "r")
check("no_scan_many", [("Scan", " ".join(["long"] * 100), "z", {"body": many, "num_scan_inputs": 100}), ("Add", "z x", "y", {})], [1],
      {"long": constant(1500)})
wide = graph([("Concat", " ".join(["zero"] * 1000), "t", {"axis": 0}), ("Identity", "c", "go", {})], "i c s", "go t")
check("no_loop_wide", [("Identity", "zero", "unused", {}), ("Loop", "steps true x", "y", {"body": wide})], [4], loop | {"steps": np.int64(5000)})
check("no_pad_large", [("Pad", "c pads", "d", {}), ("Concat", "d x", "y", {"axis": 0})], [3],
      {"c": constant(3), "pads": np.array([2**63 - 1, -(2**63)])})
# Comparisons with an infinite number, and types that follow from others.
check("equal_infinite_computed", [("Relu", "x", "r", {}), ("Log", "r", "l", {}), ("Equal", "low l", "y", {})], [3, 5],
      {"low": number(-np.inf)})
check("no_less_infinite", [("Log", "x", "l", {}), ("Less", "l high", "y", {})], [3, 5], {"high": number(np.inf)})
check("cast_like", [("CastLike", "n x", "f", {}), ("Add", "x f", "y", {})], [3, 5], {"n": np.arange(5)})
check("pad_folded", [("Pad", "c p v", "d", {}), ("Add", "x d", "y", {})], [3, 5],
      {"c": constant(2, 2), "p": np.array([1, 2, 0, 1]), "v": number(7)})
# Fourier transforms.
for name, attributes in ("dft", {}), ("dft_onesided", {"onesided": 1}), ("dft_axis", {"axis": 1}):
    one(name, "DFT", "x", [2, 9, 6, 1] if "axis" in attributes else [2, 9, 1], opset=19, **attributes)
one("dft_axis_first", "DFT", "x  a", [6, 5, 2], {"a": np.int64(0)})
for size in 4, 7, 12:
    one(f"dft_length_{size}", "DFT", "x n a", [2, 7, 2], {"n": np.int64(size), "a": np.int64(1)})
one("dft_inverse", "DFT", "x", [2, 7, 2], inverse=1)
one("no_dft_inverse_onesided", "DFT", "x", [2, 5, 2], inverse=1, onesided=1, opset=19)
transforms = graph([("DFT", "s", "f", {}), ("DFT", "f", "t", {"inverse": 1}), ("Identity", "c", "go", {})], "i c s", "go t")
for steps_of_transform in 2, 200:
    check(f"{'no_' if steps_of_transform > 2 else ''}dft_loop", [("Loop", "n true x", "y", {"body": transforms})], [1, 256, 2],
          loop | {"n": np.int64(steps_of_transform)}, opset=19)
for sides in 0, 1:
    one(f"stft_{sides}", "STFT", "x step window", [2, 40, 1],
        {"step": np.int64(3), "window": np.hanning(11).astype("float32")}, onesided=sides)
one("stft_length", "STFT", "x step  length", [1, 33, 1], {"step": np.int64(16), "length": np.int64(16)})
one("no_stft_complex", "STFT", "x step  length", [1, 33, 2], {"step": np.int64(4), "length": np.int64(8)}, onesided=0)
# Lengths that mask the end of a sequence, and results that are constants.
check("number_list", [("Less", "places lens", "b", {}), ("Where", "b x c", "y", {}), ("Add", "lens c64", "sum", {})], [2, 5],
      {"places": np.arange(5), "c": number(0), "c64": np.int64(3)}, more=[("lens", TensorProto.INT64, [1], np.array([3]))],
      outputs=("y", "sum"))
check("constant_result", [("Exp", "x", "y", {}), ("Identity", "c", "z", {}), ("Shape", "x", "s", {})], [3, 5],
      {"c": constant(2, 3)}, outputs=("y", "z", "s"))
check("no_constant_results", [("Shape", "x", "y", {})], [3, 5])
check("lp_norm_zero", [("Mul", "x rows", "z", {}), ("LpNormalization", "z", "y", {"axis": 1})], [2, 3],
      {"rows": np.float32([[1], [0]])})
one("einsum_ellipsis", "Einsum", "x c", [2, 3, 4, 5], {"c": constant(2, 3, 5, 6)}, equation="...ij,...jk->...ik")
one("einsum_ellipsis_implicit", "Einsum", "x c", [3, 2, 4], {"c": constant(4, 5)}, equation="...i,ij")
check("no_if_computed", [("ReduceMax", "x", "m", {"keepdims": 0}), ("Greater", "m c", "b", {}), choice("b", scaled, exp)],
      [3, 5], {"c": number(0)})
# Reductions, and operators on the rows along an axis.
for op in "L1", "L2", "LogSumExp", "Max", "Mean", "Min", "Sum", "SumSquare":
    one(f"reduce_{op.lower()}", f"Reduce{op}", "x a", [2, 3, 4, 5], {"a": np.array([1], "int64")})
for axes in [2, 3], [1, 3], [0, 2, 3], [0, 1, 2, 3]:
    one("reduce_axes_" + "".join(map(str, axes)), "ReduceSum", "x a", [2, 3, 4, 5], {"a": np.array(axes, "int64")},
        keepdims=0)
check("reduce_logsum", positive + [("ReduceLogSum", "p a", "y", {})], [3, 5], ones | {"a": np.array([0], "int64")})
one("reduce_prod", "ReduceProd", "x a", [3, 5], {"a": np.array([1], "int64")})
one("no_reduce_prod", "ReduceProd", "x a", [2, 3, 5], {"a": np.array([1, 2], "int64")})
for axis in 0, 1, 2, -1:
    one(f"softmax_{axis % 9}", "Softmax", "x", [3, 4, 5], axis=axis)
    one(f"logsoftmax_{axis % 9}", "LogSoftmax", "x", [3, 4, 5], axis=axis)
one("softmax_old", "Softmax", "x", [3, 4, 5], opset=11)
one("logsoftmax_old", "LogSoftmax", "x", [3, 4, 5], opset=11)
check("logsoftmax_far", [("Mul", "x c", "s", {}), ("LogSoftmax", "s", "y", {})], [3, 7], {"c": number(300)})
one("lp_norm", "LpNormalization", "x", [3, 4, 5], axis=1, p=2)
one("lp_norm_1", "LpNormalization", "x", [3, 4, 5], axis=2, p=1)
for axis in 0, 1, 2:
    one(f"argmax_{axis}", "ArgMax", "x", [3, 4, 5], axis=axis)
one("argmin", "ArgMin", "x", [3, 4, 5], axis=2, keepdims=0)
check("topk", [("TopK", "x k", "y z", {"axis": 1})], [3, 4, 5], {"k": np.array([2], "int64")}, ["y", "z"])
check("topk_least", [("TopK", "x k", "y z", {"largest": 0})], [3, 5], {"k": np.array([3], "int64")}, ["y", "z"])
# Normalizations.
one("rms_norm", "RMSNormalization", "x c", [2, 3, 8], {"c": constant(8)}, opset=23)
one("group_norm", "GroupNormalization", "x c d", [2, 6, 3, 3], {"c": constant(3), "d": constant(3)}, opset=18, num_groups=3)
one("group_norm_channels", "GroupNormalization", "x c d", [2, 6, 3, 3], {"c": constant(6), "d": constant(6)}, opset=21,
    num_groups=3)
one("instance_norm", "InstanceNormalization", "x c d", plane, {"c": constant(2), "d": constant(2)})
one("layer_norm", "LayerNormalization", "x c d", [2, 3, 8], {"c": constant(8), "d": constant(8)})
one("gemm_beta", "Gemm", "x b c", [3, 5], {"b": constant(5, 4), "c": constant(4)}, beta=0.5, alpha=2.0)
# Operators that place elements.
deep = [1, 12, 3, 5]
for mode in "DCR", "CRD":
    one(f"depth_to_space_{mode.lower()}", "DepthToSpace", "x", deep, blocksize=2, mode=mode)
one("space_to_depth", "SpaceToDepth", "x", [2, 3, 4, 6], blocksize=2)
one("tile", "Tile", "x t", [2, 3, 4], {"t": np.array([2, 1, 3], "int64")})
one("gather_places", "Gather", "x i", [2, 5, 3], {"i": np.array([4, 0, 2, 3, 1], "int64")}, axis=1)
one("gather_back", "Gather", "x i", [2, 5, 3], {"i": np.array([[-1, -2], [0, 0]], "int64")}, axis=1)
one("gather_even", "Gather", "x i", [2, 5, 3], {"i": np.array([0, 2, 4], "int64")}, axis=1)
one("pad_old", "Pad", "x", plane, pads=[0, 0, 1, 2, 0, 0, 0, 1], value=0.5, opset=10)
one("pad_axes", "Pad", "x p v a", plane,
    {"p": np.array([1, -1, 0, 2], "int64"), "v": number(2), "a": np.array([-1, 2], "int64")}, opset=18)
for mode in "reflect", "edge":
    one(f"pad_{mode}", "Pad", "x p", plane, {"p": np.array([0, 0, 2, 4, 0, 0, 1, 0], "int64")},
        mode=mode)
# Many places, which one operation takes, of the outer, a middle and the inner dimension.
many = {"p": np.array([9, 10, 11, 10, 0, 12], "int64")}
one("pad_reflect_many", "Pad", "x p", [11, 12, 13], many, mode="reflect")
one("gather_many", "Gather", "x i", [2, 5, 3], {"i": np.array([4, 0, 2, 3, 1] * 4, "int64")}, axis=1)
one("no_pad_wrap", "Pad", "x p", plane, {"p": np.array([0, 0, 1, 1, 0, 0, 1, 1], "int64")}, mode="wrap")
one("no_pad_far", "Pad", "x p", plane, {"p": np.array([0, 0, 5, 0, 0, 0, 0, 0], "int64")}, mode="reflect")
one("no_pad_huge", "Pad", "x p", [3, 5], {"p": np.array([0, 1 << 40, 0, 0], "int64")}, mode="edge")
one("no_cumsum_outside", "CumSum", "x a", [3, 5], {"a": np.array(10**14, "int64")})
slices = {"f": np.array([-1, 3]), "t": np.array([-9, 0]), "a": np.array([0, 2]), "s": np.array([-1, -2])}
one("slice_back", "Slice", "x f t a s", [3, 2, 5], slices)
nothing = {"z": np.array([0], "int64"), "i": np.array([[0]], "int64")}
check("no_gather_nd_nothing", [("Slice", "x z z", "s", {}), ("GatherND", "s i", "y", {})], [3, 5], nothing)
check("no_scatter_nd_nothing", [("Slice", "x z z", "s", {}), ("ScatterND", "s i x", "y", {})], [1, 5], nothing)
one("gather_nd", "GatherND", "x i", [3, 4, 5], {"i": np.array([[[2, 1], [0, -1]], [[1, 0], [2, 3]]])})
one("gather_nd_rows", "GatherND", "x i", [3, 4, 5], {"i": np.array([[0], [2]])})
one("no_gather_nd_batch", "GatherND", "x i", [3, 4, 5], {"i": np.array([[1], [2], [0]])}, batch_dims=1)
one("scatter_nd", "ScatterND", "x i u", [3, 4, 5], {"i": np.array([[2, 1], [0, -1], [2, 1]]), "u": constant(3, 5)})
one("scatter_nd_column", "ScatterND", "x i u", [3, 4], {"i": np.array([[[k, 2]] for k in range(3)]), "u": constant(3, 1)})
one("scatter_nd_value", "ScatterND", "c i x", [2, 5], {"i": np.array([[2], [0]]), "c": constant(3, 5)})
one("no_scatter_nd_add", "ScatterND", "x i u", [3, 4], {"i": np.array([[1]]), "u": constant(1, 4)}, reduction="add")
places = {"i": np.array([[1, 0, -1], [0, 2, 1]]), "u": constant(2, 3)}
one("scatter_elements", "ScatterElements", "x i u", [3, 4], places)
one("scatter_elements_last", "ScatterElements", "x i u", [3, 4], places, axis=-1)
one("no_scatter_elements_add", "ScatterElements", "x i u", [3, 4], places, reduction="add")
one("no_scatter_elements_outside", "ScatterElements", "x i u", [3, 4], places | {"i": np.full((2, 3), 4)})
check("non_zero", [("NonZero", "m", "p", {}), ("Transpose", "p", "i", {}), ("GatherND", "x i", "y", {})], [3, 5],
      {"m": np.eye(3, 5, 1, dtype=bool)})
check("no_non_zero", [("NonZero", "x", "p", {}), ("Cast", "p", "y", {"to": TensorProto.FLOAT})], [3, 5])
# Windows.
for ceil in 0, 1:
    for include in 0, 1:
        one(f"average_pool_{ceil}{include}", "AveragePool", "x", [1, 2, 8, 8], kernel_shape=[3, 3], strides=[2, 2],
            pads=[1, 1, 1, 1], ceil_mode=ceil, count_include_pad=include)
    one(f"max_pool_{ceil}", "MaxPool", "x", [1, 2, 8, 7], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=ceil)
for name, kernel, group, more in (
        ("equal", [2, 2], 1, {"strides": [2, 2]}), ("pads", [4, 4], 1, {"strides": [2, 2], "pads": [1, 1, 1, 1]}),
        ("output", [3, 3], 1, {"strides": [2, 2], "pads": [1, 1, 1, 1], "output_padding": [1, 1]}),
        ("large", [5, 4], 1, {"strides": [3, 2], "pads": [2, 0, 1, 3]}),
        ("output_large", [2, 2], 1, {"strides": [3, 3], "output_padding": [2, 1]}),
        ("output_beyond", [3, 3], 1, {"strides": [2, 2], "output_padding": [1, 1]}),
        ("dilated", [3, 2], 1, {"strides": [1, 3], "dilations": [2, 2]}), ("depthwise", [3, 3], 4, {"strides": [2, 2]})):
    one(f"conv_transpose_{name}", "ConvTranspose", "x w b", [2, 4, 5, 6],
        {"w": constant(4, 3 if group == 1 else 1, *kernel), "b": constant(3 if group == 1 else 4)}, group=group, **more)
cube = {"w": constant(6, 2, 3, 2, 3), "b": constant(6)}
for name, more in ("", {}), ("_strides", {"strides": [2, 1, 2]}), ("_pads", {"pads": [1, 0, 1, 2, 1, 0]}), \
        ("_dilated", {"dilations": [2, 1, 1], "strides": [2, 2, 1]}), ("_same", {"auto_pad": "SAME_UPPER", "strides": [2, 2, 2]}):
    one(f"conv_deep{name}", "Conv", "x w b", [2, 4, 7, 5, 6], cube, group=2, **more)
for op, more in ("MaxPool", {}), ("AveragePool", {}), ("AveragePool", {"count_include_pad": 1}), ("MaxPool", {"ceil_mode": 1}):
    one(f"{op.lower()}_deep" + "".join("_" + k[:4] for k in more), op, "x", [2, 3, 7, 6, 5], kernel_shape=[3, 2, 3],
        strides=[2, 2, 1], pads=[1, 0, 1, 1, 0, 1], **more)
for op in "GlobalMaxPool", "GlobalAveragePool":
    one(f"{op.lower()}_deep", op, "x", [2, 3, 4, 5, 6])
one("conv_transpose_point", "ConvTranspose", "x w", [1, 4, 1, 1], {"w": constant(4, 2, 1, 1)}, strides=[3, 3])
one("conv_transpose_line", "ConvTranspose", "x w", [1, 4, 5], {"w": constant(4, 2, 4)}, strides=[2], pads=[1, 1])
one("no_prelu_size", "PRelu", "x c", plane, {"c": constant(3)})
one("no_conv_transpose_bias", "ConvTranspose", "x w b", [1, 4, 5, 5], {"w": constant(4, 2, 3, 3), "b": constant(1)},
    strides=[2, 2])
one("conv_transpose_far", "ConvTranspose", "x w", [1, 4, 1, 1], {"w": constant(4, 2, 1, 1)}, strides=[99999, 99999])
one("no_conv_transpose_same", "ConvTranspose", "x w", [1, 4, 5, 5], {"w": constant(4, 2, 3, 3)}, auto_pad="SAME_UPPER",
    strides=[2, 2])
# Recurrent networks: 5 steps, 2 samples, 3 inputs, 4 hidden elements.
for op, gates in ("LSTM", 4), ("GRU", 3), ("RNN", 1):
    for way, ways in ("forward", 1), ("reverse", 1), ("bidirectional", 2):
        for reset in (0, 1) if op == "GRU" else (0,):
            results = ["y", "h"] + ["c"] * (op == "LSTM")
            check(f"{op.lower()}_{way}_{reset}",
                  [(op, "x w r b  h0" + (" c0" if op == "LSTM" else ""), " ".join(results),
                    {"hidden_size": 4, "direction": way} | ({"linear_before_reset": reset} if op == "GRU" else {}))],
                  [5, 2, 3], {"w": constant(ways, 4 * gates, 3), "r": constant(ways, 4 * gates, 4),
                              "b": constant(ways, 8 * gates), "h0": constant(ways, 2, 4), "c0": constant(ways, 2, 4)},
                  results)
check("lstm_short", [("LSTM", "x w r", "y", {"hidden_size": 4})], [5, 2, 3],
      {"w": constant(1, 16, 3), "r": constant(1, 16, 4)})
check("no_lstm_sizes", [("LSTM", "x w r b", "y", {"hidden_size": 4})], [5, 2, 3],
      {"w": constant(1, 16, 3), "r": constant(1, 16, 4), "b": constant(1, 8)})
check("no_lstm_activation", [("LSTM", "x w r", "y", {"hidden_size": 4, "activations": ["Relu", "Tanh", "Tanh"]})], [5, 2, 3],
      {"w": constant(1, 16, 3), "r": constant(1, 16, 4)})
check("no_lstm_lengths", [("LSTM", "x w r  n", "y", {"hidden_size": 4})], [5, 2, 3],
      {"w": constant(1, 16, 3), "r": constant(1, 16, 4), "n": np.array([5, 3], "int32")})
