# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the results of ref with those of ONNX Runtime for small models, one for each use of an operator.

Arguments: the program ref_passes, and an empty directory. Prints "NAME ERROR" for each model, where ERROR is the
largest difference relative to the largest element of ONNX Runtime; "NAME lack: MESSAGE" if the import refuses the
model; or "NAME: MESSAGE". The operands beside x are constants, as in the files of exporters.
"""
import os
import subprocess
import sys

import ml_dtypes
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


def check(name, nodes, shape, constants=(), outputs=("y",), opset=OPSET, more=()):
    """Compares a model of x and of more inputs (name, type, shape, elements), whose nodes are (operator, inputs, outputs, attributes). "ms." begins the operators of
    ONNX Runtime."""
    used = " ".join(n[1] for n in nodes).split(" ")
    graph = helper.make_graph(
        [helper.make_node(op.removeprefix("ms."), i.split(" "), o.split(), name=f"{op}.{k}",
                          domain="com.microsoft" if op.startswith("ms.") else "", **a)
         for k, (op, i, o, a) in enumerate(nodes)],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)] + [helper.make_tensor_value_info(*m[:3]) for m in more],
        [helper.make_empty_tensor_value_info(o) for o in outputs],
        [numpy_helper.from_array(np.asarray(v), k) for k, v in dict(constants).items() if k in used],
    )
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)], ir_version=10)
    folder = os.path.join(sys.argv[2], name)
    path = os.path.join(folder, f"{name}.onnx")
    os.makedirs(folder)
    onnx.save(onnx.shape_inference.infer_shapes(model), path)
    x, made = outputs_of_ref(folder, path, [f"{m[0]}={m[3]}" for m in more if not m[2]])
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
    check(f"number_input_{rate}", [("Equal", "rate c", "b", {}), choice("b", scaled, exp)], [3, 5], {"c": np.int64(16000)},
          more=[("rate", TensorProto.INT64, [], np.int64(rate))])
check("no_if_computed", [("ReduceMax", "x", "m", {"keepdims": 0}), ("Greater", "m c", "b", {}), choice("b", scaled, exp)],
      [3, 5], {"c": number(0)})
# Reductions, and operators on the rows along an axis.
for op in "L1", "L2", "LogSumExp", "Max", "Mean", "Min", "Sum", "SumSquare":
    one(f"reduce_{op.lower()}", f"Reduce{op}", "x a", [2, 3, 4, 5], {"a": np.array([1], "int64")})
for axes in [2, 3], [1, 3], [0, 2, 3], [0, 1, 2, 3]:
    one("reduce_axes_" + "".join(map(str, axes)), "ReduceSum", "x a", [2, 3, 4, 5], {"a": np.array(axes, "int64")},
        keepdims=0)
check("reduce_logsum", positive + [("ReduceLogSum", "p a", "y", {})], [3, 5], ones | {"a": np.array([0], "int64")})
one("no_reduce_prod", "ReduceProd", "x a", [3, 5], {"a": np.array([1], "int64")})
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
# Attention of [batch,tokens,heads width] and of [batch,heads,tokens,width].
flat = {"q_num_heads": 4, "kv_num_heads": 2}
keys = {"k": constant(2, 6, 16), "v": constant(2, 6, 16)}
one("attention", "Attention", "x k v", [2, 6, 32], keys, opset=23, **flat)
one("attention_causal", "Attention", "x k v", [2, 6, 32], keys, opset=23, is_causal=1, **flat)
one("attention_mask", "Attention", "x k v m", [2, 6, 32], keys | {"m": constant(6, 6)}, opset=23, scale=0.5, **flat)
one("attention_hidden", "Attention", "x k v m", [2, 6, 32], keys | {"m": np.tril(np.ones((6, 6), bool))}, opset=23, **flat)
one("attention_heads", "Attention", "x k v", [1, 4, 5, 8], {"k": constant(1, 2, 6, 8), "v": constant(1, 2, 6, 8)}, opset=23)
one("no_attention_mask", "Attention", "x k v m", [2, 6, 32], keys | {"m": constant(3, 6)}, opset=23, **flat)
one("attention_cap", "Attention", "x k v m", [2, 6, 32], keys | {"m": constant(6, 6)}, opset=23, softcap=2.0, is_causal=1, **flat)
one("attention_batches", "Attention", "x k v m", [2, 6, 32], keys | {"m": constant(2, 1, 6, 6)}, opset=23, **flat)
past = {"p": constant(2, 2, 3, 8), "q": constant(2, 2, 3, 8)}
for name, more in ("", {}), ("_causal", {"is_causal": 1}):
    check(f"attention_past{name}", [("Attention", "x k v  p q", "y z u", flat | more)], [2, 6, 32], keys | past, ["y", "z", "u"],
          opset=23)
check("attention_mask_computed", [("MatMul", "x t", "m", {}), ("Unsqueeze", "m one", "n", {}),
                                  ("Attention", "x k v n", "y", flat)], [2, 6, 32],
      keys | {"t": constant(32, 6), "one": np.array([1])}, opset=23)
# Products that end in a function of their elements, or are followed by one.
for op in "Exp", "HardSwish", "HardSigmoid":
    check(f"gemm_{op.lower()}", [("Gemm", "x b", "g", {}), (op, "g", "y", {})], [3, 5], {"b": constant(5, 4)})
    check(f"conv_{op.lower()}", [("Conv", "x w", "c", {}), (op, "c", "y", {})], [1, 8, 6, 6], {"w": constant(16, 8, 3, 3)})
# Sums of products.
for name, equation, size in (("product", "abc,cd->abd", [5, 6]), ("batch", "abc,adc->abd", [2, 4, 5]),
                             ("turned", "abc,ad->dcba", [2, 4]), ("inner", "abc,abc->a", [2, 3, 5]),
                             ("outer", "abc,d->abcd", [2])):
    one(f"einsum_{name}", "Einsum", "x c", [2, 3, 5], {"c": constant(*size)}, equation=equation)
one("no_einsum_sum", "Einsum", "x c", [2, 3, 5], {"c": constant(5, 6)}, equation="abc,cd->bd")
check("einsum_constants", [("Einsum", "a b", "o", {"equation": "i,j->ji"}), ("Add", "x o", "y", {})], [3, 2],
      {"a": constant(2), "b": constant(3)})
# Fused operators of ONNX Runtime.
rows = {"s": constant(2, 3, 8), "g": constant(8), "b": constant(8), "more": constant(8)}
for name, inputs in ("", "x s g b"), ("_bias", "x s g b more"):
    check(f"skip_norm{name}", [("ms.SkipLayerNormalization", inputs, "y", {"epsilon": 1e-3})], [2, 3, 8], rows)
    check(f"skip_rms_norm{name}", [("ms.SkipSimplifiedLayerNormalization", inputs.replace(" b", ""), "y", {"epsilon": 1e-3})],
          [2, 3, 8], rows)
check("skip_norm_sum", [("ms.SkipLayerNormalization", "x s g b more", "y m d u", {})], [2, 3, 8], rows, ["y", "u"])
check("simplified_norm", [("SimplifiedLayerNormalization", "x g", "y", {"epsilon": 1e-3})], [2, 3, 8], rows)
check("fast_gelu", [("ms.FastGelu", "x", "y", {})], [3, 8])
check("fast_gelu_bias", [("ms.FastGelu", "x b", "y", {})], [3, 8], rows)
check("bias_gelu", [("ms.BiasGelu", "x b", "y", {})], [3, 8], rows)
for alpha in 1.702, 1.0, 0.5:
    check(f"quick_gelu_{alpha}", [("ms.QuickGelu", "x", "y", {"alpha": alpha})], [3, 8])
for left in 0, 1:
    for right in 0, 1:
        check(f"fused_matmul_{left}{right}", [("ms.FusedMatMul", "x w", "y", {"transA": left, "transB": right, "alpha": 0.5})],
              [2, 4, 4], {"w": constant(2, 4, 4)})
check("fused_matmul_matrix", [("ms.FusedMatMul", "x w", "y", {"transB": 1, "alpha": 2.0})], [2, 4, 5], {"w": constant(3, 5)})
kernel = {"w": constant(6, 4, 3, 3), "b": constant(6), "z": constant(1, 6, 3, 4)}
for name, params in ("Relu", []), ("Sigmoid", []), ("Tanh", []), ("Clip", [-0.5, 0.5]), ("LeakyRelu", [0.2]), ("HardSigmoid", [0.3, 0.4]):
    check(f"fused_conv_{name.lower()}", [("ms.FusedConv", "x w b", "y", {"activation": name} | ({"activation_params": params} if params else {}))],
          [1, 4, 5, 6], kernel)
check("fused_conv_sum", [("ms.FusedConv", "x w b z", "y", {"activation": "Relu"})], [1, 4, 5, 6], kernel)
check("no_fused_conv", [("ms.FusedConv", "x w b", "y", {"activation": "Cos"})], [1, 4, 5, 6], kernel)
for name, more in ("Relu", {}), ("LeakyRelu", {"activation_alpha": 0.3}):
    check(f"fused_gemm_{name.lower()}", [("ms.FusedGemm", "x w b", "y", {"activation": name, "transB": 1} | more)], [3, 5],
          {"w": constant(4, 5), "b": constant(4)})
embedding = {"w": constant(9, 8), "p": constant(7, 8), "s": constant(2, 8), "g": constant(8), "b": constant(8),
             "n": np.array([[0, 1, 1], [1, 1, 0]], "int32"), "i": np.array([[5, 3, 3], [0, 1, 2]], "int32")}
tokens = [("ArgMax", "x", "k", {"axis": 2, "keepdims": 0}), ("Cast", "k", "t", {"to": TensorProto.INT32})]
for name, inputs in ("", "t n w p s g b"), ("_tokens", "t  w p  g b"), ("_places", "t n w p s g b  i"):
    check(f"embed_norm{name}", [*tokens, ("ms.EmbedLayerNormalization", inputs, "y m u", {"epsilon": 1e-5})], [2, 3, 9], embedding,
          ["y", "u"])
heads = {"k": constant(2, 5, 16), "v": constant(2, 5, 16), "b": constant(48), "m": np.ones((2, 5), "int32"),
         "n": np.tril(np.ones((2, 5), "int32")), "s": constant(1, 4, 3, 5)}
for name, inputs, more in (("", "x k v", {}), ("_bias", "x k v b", {"scale": 0.5}), ("_mask", "x k v  m", {}),
                           ("_scores", "x k v   s", {})):
    check(f"multi_head{name}", [("ms.MultiHeadAttention", inputs, "y", {"num_heads": 4, **more})], [2, 3, 16], heads)
for name, inputs in ("hides", "x k v  n"), ("lengths", "x k v  l"):
    check(f"multi_head_{name}", [("ms.MultiHeadAttention", inputs, "y", {"num_heads": 4})], [2, 3, 16],
          heads | {"l": np.array([5, 2], "int32")})
head = {"k": constant(2, 4, 5, 4), "v": constant(2, 4, 5, 4), "p": constant(2, 4, 6, 4), "q": constant(2, 4, 6, 4),
        "f": constant(2, 5, 16), "g": constant(2, 5, 16)}
check("multi_head_cross", [("ms.MultiHeadAttention", "x k v", "y", {"num_heads": 4})], [2, 3, 16], head)
check("multi_head_past", [("ms.MultiHeadAttention", "x f g    p q", "y z u", {"num_heads": 4})], [2, 5, 16], head, ["y", "z", "u"])
check("no_multi_head_past_causal", [("ms.MultiHeadAttention", "x f g    p q", "y", {"num_heads": 4, "unidirectional": 1})],
      [2, 5, 16], head)
check("no_multi_head_packed", [("ms.MultiHeadAttention", "x", "y", {"num_heads": 4})], [2, 5, 4, 3, 4])
# Rotated pairs, and attention with groups of queries: 5 tokens after 0 or 7 others.
turns = {"c": np.cos(np.outer(np.arange(16), [1, 0.3, 0.1, 0.03])).astype("float32"),
         "s": np.sin(np.outer(np.arange(16), [1, 0.3, 0.1, 0.03])).astype("float32"),
         "p": np.array([[0, 1, 2, 3, 4], [7, 3, 9, 9, 15]]), "f": np.array([4])}
for name, inputs, shape, more in (
        ("", "x p c s", [2, 5, 32], {}), ("_first", "x f c s", [2, 5, 32], {}), ("_heads", "x p c s", [2, 4, 5, 8], {}),
        ("_pairs", "x p c s", [2, 5, 32], {"interleaved": 1}),
        ("_part", "x p c s", [2, 5, 24], {"num_heads": 2, "rotary_embedding_dim": 8}),
        ("_part_pairs", "x p c s", [2, 5, 24], {"num_heads": 2, "rotary_embedding_dim": 8, "interleaved": 1})):
    check(f"rotary{name}", [("ms.RotaryEmbedding", inputs, "y", more)], shape, turns)
    if "_first" not in name:
        inputs = inputs.replace("p c s", "c s p")
        check(f"rotary_standard{name}", [("RotaryEmbedding", inputs, "y", {"num_heads": 4} | more)], shape, turns, opset=23)
check("rotary_rows", [("RotaryEmbedding", "x c s", "y", {"num_heads": 4})], [2, 5, 32],
      {"c": constant(2, 5, 4), "s": constant(2, 5, 4)}, opset=23)
check("rotary_computed", [("Cos", "x", "c", {}), ("Sin", "x", "s", {}), ("RotaryEmbedding", "t c s", "y", {"num_heads": 3})],
      [2, 5, 4], {"t": constant(2, 5, 24)}, opset=23)
check("no_rotary_outside", [("ms.RotaryEmbedding", "x p c s", "y", {})], [2, 5, 32], turns | {"p": np.full((2, 5), 16)})


def grouped(name, inputs="x k v o o l t c s", width=64, results="y", past=0, tokens=5, **more):
    """Compares attention of 4 heads with 2 heads of keys and values, some tokens after `past` others."""
    new, batch = past + tokens, 2 if tokens == 1 or not past else 1
    check(f"{'no_' if name.startswith('no_') else ''}group_query_{name.removeprefix('no_')}",
          [("ms.GroupQueryAttention", inputs.replace("o o", "o q" if past else " "), "y z u",
            {"num_heads": 4, "kv_num_heads": 2} | more)],
          [batch, tokens, width],
          {"k": constant(batch, tokens, 32), "v": constant(batch, tokens, 32), "o": constant(batch, 2, past, 16), "q": constant(batch, 2, past, 16),
           "l": np.full(batch, new - 1, "int32"), "t": np.array(new, "int32"), "c": np.cos(turn), "s": np.sin(turn),
           "b": constant(1, 1, tokens, new), "i": np.stack([np.arange(past, new), np.arange(3, 3 + tokens)][:batch])},
          results.split())


turn = np.outer(np.arange(16), 0.6 ** np.arange(8)).astype("float32")
for past in 0, 7:
    old = f"past_{past}"
    grouped(old, past=past)
    grouped(f"{old}_rotary", past=past, do_rotary=1)
    grouped(f"{old}_pairs", past=past, do_rotary=1, rotary_interleaved=1)
    grouped(f"{old}_window", past=past, do_rotary=1, local_window_size=3)
    grouped(f"{old}_cap", past=past, softcap=1.5, scale=0.7)
    grouped(f"{old}_packed", "x   o o l t c s", 128, past=past, do_rotary=1, results="y z u")
    grouped(f"{old}_bias", "x k v o o l t c s  b", past=past)
    grouped(f"{old}_places", "x k v o o l t c s i", past=past, do_rotary=1)
grouped("step", past=7, tokens=1, do_rotary=1, local_window_size=4)
grouped("no_sink", smooth_softmax=1)
packed = {"w": constant(16, 48), "b": constant(48), "m": np.ones((2, 3), "int32"), "n": np.array([3, 3], "int32")}
for name, inputs, more in ("", "x w b", {}), ("_causal", "x w b", {"unidirectional": 1}), ("_mask", "x w b m", {}), ("_length", "x w b n", {}):
    check(f"fused_attention{name}", [("ms.Attention", inputs, "y", {"num_heads": 4, **more})], [2, 3, 16], packed)
for bits in 4, 8:
    each = 8 // bits
    blocks = {"w": random.integers(0, 256, (6, 3, 16 // each), "uint8"), "s": random.random(18, "float32"),
              "z": random.integers(0, 256, 6 * (3 if bits == 8 else 2), "uint8"), "b": constant(6)}
    for name, inputs in ("", "x w s"), ("_zeros", "x w s z"), ("_bias", "x w s   b"):
        check(f"matmul_bits_{bits}{name}", [("ms.MatMulNBits", inputs, "y", {"K": 40, "N": 6, "bits": bits, "block_size": 16})],
              [2, 3, 40], blocks)
check("no_matmul_bits_groups", [("ms.MatMulNBits", "x w s  g", "y", {"K": 48, "N": 6, "bits": 8, "block_size": 16})],
      [2, 3, 48], blocks | {"g": np.arange(48, dtype="int32") // 16})
# Constants of a few bits with a scale for each block.
for kind, bits in ("int4", 4), ("uint4", 4), ("int8", 8), ("uint8", 8):
    low = 0 if kind[0] == "u" else -(1 << bits - 1)
    numbers = {"w": random.integers(low, low + (1 << bits), (32, 6)).astype(kind if bits == 8 else getattr(ml_dtypes, kind)),
               "z": random.integers(low, low + (1 << bits), (2, 6)).astype(kind if bits == 8 else getattr(ml_dtypes, kind)),
               "s": random.random((2, 6), "float32")}
    for name, inputs in ("", "w s"), ("_zeros", "w s z"):
        check(f"dequantize_blocks_{kind}{name}", [("DequantizeLinear", inputs, "d", {"axis": 0, "block_size": 16}),
                                                  ("MatMul", "x d", "y", {})], [3, 32], numbers, opset=21)
    check(f"dequantize_rows_{kind}", [("DequantizeLinear", "w t", "d", {"axis": 1}), ("MatMul", "x d", "y", {})], [3, 32],
          numbers | {"t": random.random(6, "float32")}, opset=21)
    check(f"dequantize_all_{kind}", [("DequantizeLinear", "w t", "d", {}), ("Transpose", "d", "e", {}), ("Add", "x e", "y", {})],
          [6, 32], numbers | {"t": np.float32(0.25)}, opset=21)
    for name, inputs in ("", "w i s"), ("_zeros", "w i s z"):
        if kind != "int8":
            wide = {"w": random.integers(0, 256, (32, 32 * bits // 8), "uint8") if kind == "uint8" else
                    random.integers(low, low + (1 << bits), (32, 32)).astype(getattr(ml_dtypes, kind)),
                    "z": random.integers(0, 256, (32, 2), "uint8") if kind == "uint8" else
                    random.integers(low, low + (1 << bits), (32, 2)).astype(getattr(ml_dtypes, kind)),
                    "s": random.random((32, 2), "float32"), "i": np.array([[3, 0], [5, 31]])}
            check(f"gather_blocks_{kind}{name}",
                  [("ms.GatherBlockQuantized", inputs, "g", {"block_size": 16, "bits": bits, "quantize_axis": 1}),
                   ("Add", "x g", "y", {})], [2, 2, 32], wide)
halves = {"w": random.integers(0, 256, (32, 24), "uint8"), "s": random.random((32, 3), "float32"),
          "z": random.integers(0, 256, (32, 2), "uint8"), "i": np.array([[3, 0], [5, 31]])}
for name, inputs in ("", "w i s"), ("_zeros", "w i s z"):
    check(f"gather_blocks_bytes{name}", [("ms.GatherBlockQuantized", inputs, "g", {"block_size": 16, "quantize_axis": 1}),
                                         ("Add", "x g", "y", {})], [2, 2, 48], halves)
check("no_dequantize_blocks_computed", [("Abs", "x", "a", {}), ("DequantizeLinear", "w a", "y", {"axis": 0, "block_size": 16})],
      [2, 6], {"w": random.integers(-8, 8, (32, 6)).astype(ml_dtypes.int4)}, opset=21)
bytes_of = {"w": random.integers(0, 256, (8, 5), "uint8"), "s": random.random(5, "float32"), "z": np.uint8(99), "b": constant(5)}
check("dynamic_matmul", [("ms.DynamicQuantizeMatMul", "x w s z b", "y", {})], [3, 8], bytes_of)
check("dynamic_matmul_float", [("DynamicQuantizeLinear", "x", "q a o", {}),
                               ("ms.MatMulIntegerToFloat", "q w a s o z", "y", {})], [3, 8], bytes_of)
for name, w in ("", bytes_of["w"]), ("_far", np.maximum(bytes_of["w"], 1) - np.uint8(1)):
    check(f"dynamic_bytes{name}", [("DynamicQuantizeLinear", "x", "q a o", {}), ("MatMulInteger", "q w o z", "i", {}),
                                   ("Cast", "i", "f", {"to": TensorProto.FLOAT}), ("Mul", "a s", "t", {}),
                                   ("Mul", "f t", "y", {})], [3, 8], bytes_of | {"w": w, "z": np.uint8(0 if name else 99)})
check("no_dynamic_bytes_most", [("DynamicQuantizeLinear", "x", "q a o", {}), ("MatMulInteger", "q w o", "i", {}),
                                ("Cast", "i", "f", {"to": TensorProto.FLOAT}), ("Mul", "f a", "t", {}), ("Mul", "t s", "y", {})],
      [3, 8], bytes_of | {"w": np.full((8, 5), 255, "uint8")})
