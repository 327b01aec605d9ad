# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares ref with ONNX Runtime for the operators of the domain ai.onnx.ml, as skl2onnx and onnxmltools write
them; see operator_model.py."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper

from operator_model import check, constant, random

ROWS, FEATURES, TREES = 7, 5, 12
x = [ROWS, FEATURES]


def trees(modes, classes, zero=False):
    """Returns the attributes of random trees: lists of their nodes, and of the leaves' weights (tree, node, target, weight)."""
    nodes, leaves = [], []
    for tree in range(TREES):
        count = 7 + 2 * (tree % 3)  # the first branches have two branches, the others leaves
        inner = (count - 1) // 2
        for i in range(count):
            leaf = i >= inner
            nodes.append((tree, i, 0 if leaf else int(random.integers(FEATURES)),
                          0.0 if leaf or zero else float(np.float32(random.standard_normal())),
                          "LEAF" if leaf else modes[(tree + i) % len(modes)],
                          0 if leaf else 2 * i + 1, 0 if leaf else 2 * i + 2, int(not leaf and i % 2)))
            if leaf:
                leaves += [(tree, i, c, float(w)) for c, w in zip(classes, random.standard_normal(len(classes)))]
    names = "treeids nodeids featureids values modes truenodeids falsenodeids missing_value_tracks_true".split()
    return {f"nodes_{k}": list(v) for k, v in zip(names, zip(*nodes))}, list(zip(*leaves))


def regressor(name, modes=("BRANCH_LEQ",), targets=1, special=False, **more):
    attributes, leaves = trees(modes, range(targets), special)
    attributes |= {f"target_{k}": list(v) for k, v in zip(("treeids", "nodeids", "ids", "weights"), leaves)}
    before = [("Sqrt", "x", "z", {})] if special else [("Abs", "x", "a", {}), ("Sub", "x a", "z", {})]
    check(name, [*before, ("ml.TreeEnsembleRegressor", "z", "y", attributes | {"n_targets": targets} | more)], x)


def classifier(name, classes, labels, positive=False, modes=("BRANCH_LEQ",), **more):
    attributes, leaves = trees(modes, classes)
    attributes |= {f"class_{k}": list(v) for k, v in zip(("treeids", "nodeids", "ids", "weights"), leaves)}
    if positive:
        attributes["class_weights"] = [abs(w) / TREES for w in attributes["class_weights"]]
    kind = "strings" if isinstance(labels[0], str) else "int64s"
    check(name, [("ml.TreeEnsembleClassifier", "x", "l p", attributes | {f"classlabels_{kind}": labels} | more),
                 ("ml.ZipMap", "p", "y", {f"classlabels_{kind}": labels})], x, outputs=("p",) if kind == "strings" else ("l", "p"))


regressor("trees")
regressor("trees_less", ("BRANCH_LT",), base_values=[0.5])
regressor("trees_mixed", ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GT", "BRANCH_GTE", "BRANCH_EQ", "BRANCH_NEQ"), 3, base_values=[1, 2, 3.0])
# The roots of negative numbers are NaN, and each number that is equal to a threshold is 0.
regressor("trees_nan", ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GT", "BRANCH_GTE", "BRANCH_EQ", "BRANCH_NEQ"), 2, special=True)
regressor("trees_average", aggregate_function="AVERAGE", post_transform="LOGISTIC")
regressor("trees_logistic", targets=2, post_transform="LOGISTIC")
regressor("no_trees_least", aggregate_function="MIN")
classifier("classes", (0, 1, 2), [0, 1, 2], post_transform="SOFTMAX")
classifier("classes_labels", (0, 1, 2), [7, -3, 40], base_values=[0.1, 0.2, -0.3])
classifier("classes_strings", (0, 1, 2), ["a", "b", "c"], positive=True)
classifier("classes_two", (0, 1), [0, 1], positive=True)
classifier("classes_one", (0,), [0, 1], base_values=[0.25], post_transform="LOGISTIC")
classifier("classes_one_positive", (0,), [5, -7], positive=True)
classifier("classes_second", (1,), [5, -7])
classifier("no_classes_bases", (0, 1), [0, 1], base_values=[0.25, 0.5])
classifier("no_classes_labels", (0, 1), [5, 7])
# A tree of the operator TreeEnsemble: the leaves are apart from the branches.
check("tree_ensemble", [("ml.TreeEnsemble", "x", "y", {
    "n_targets": 2, "tree_roots": [0, 2], "nodes_featureids": [0, 3, 4], "nodes_splits": np.float32([0.1, -0.2, 0.3]),
    "nodes_modes": np.uint8([0, 1, 3]), "nodes_truenodeids": [1, 0, 3], "nodes_trueleafs": [0, 1, 1],
    "nodes_falsenodeids": [1, 2, 4], "nodes_falseleafs": [1, 1, 1], "leaf_targetids": [0, 1, 0, 1, 0],
    "leaf_weights": np.float32([1, 2, 4, 8, 16])})], x, learning=5)



def vectors(name, labels, per_class, kernel="RBF", scale=1, outputs=("l", "p"), **more):
    """A classifier of support vectors far from 0, whose scores have both signs."""
    count, pairs = sum(per_class), len(labels) * (len(labels) - 1) // 2
    attributes = {"support_vectors": (constant(count * FEATURES) + 0.5).tolist(), "vectors_per_class": per_class,
                  "coefficients": (scale * constant((len(labels) - 1) * count)).tolist(), "rho": (0.1 * constant(pairs)).tolist(),
                  "kernel_type": kernel, "kernel_params": [0.25, 0.5, 3.0]}
    kind = "strings" if isinstance(labels[0], str) else "ints"
    check(name, [("ml.SVMClassifier", "x", "l p", attributes | {f"classlabels_{kind}": labels} | more)], x, outputs=outputs)


for kernel in "LINEAR", "POLY", "RBF", "SIGMOID":
    vectors(f"vectors_{kernel.lower()}", [7, -3, 40, 2], [3, 1, 4, 2], kernel)
    vectors(f"vectors_two_{kernel.lower()}", [5, -7], [4, 3], kernel)
    for one in 0, 1:
        check(f"vector_regression_{kernel.lower()}_{one}", [("ml.SVMRegressor", "x", "y", {
            "support_vectors": constant(4 * FEATURES).tolist(), "coefficients": constant(4).tolist(), "rho": [0.1], "n_supports": 4,
            "kernel_type": kernel, "kernel_params": [0.25, 0.5, 2.0], "one_class": one})], x)
vectors("vectors_softmax", ["a", "b", "c"], [2, 2, 2], post_transform="SOFTMAX", outputs=("p",))
vectors("vectors_logistic", [0, 1], [2, 3], post_transform="LOGISTIC")
vectors("vectors_chances", [4, 9], [2, 3], prob_a=[-0.25], prob_b=[5.0])  # here the iteration of ONNX Runtime is exact
vectors("no_vectors_softmax", [0, 1], [2, 3], post_transform="SOFTMAX")
vectors("no_vectors_chances", [0, 1, 2], [2, 3, 1], prob_a=[-1.5, 1, 2], prob_b=[0.25, 1, 2])
vectors("no_vectors_positive", [0, 1], [1, 1], coefficients=[1.0, 2.0])
vectors("no_vectors_few", [0, 1], [2, 3], vectors_per_class=[2, 4])


def distances(name, *ops, state="s", axis=1):
    """A Scan over the rows of a constant, whose body subtracts each of them from x and applies operators, as skl2onnx writes it."""
    value = helper.make_tensor_value_info
    nodes = [helper.make_node("Sub", ["s", "r"], ["d0"]), helper.make_node("Identity", [state], ["t"])]
    for i, op in enumerate(ops):
        last = i + 1 == len(ops)
        nodes.append(helper.make_node(op, [f"d{i}"] + ["axes"] * last, ["d" if last else f"d{i + 1}"], **({"keepdims": 0} if last else {})))
    nodes.append(helper.make_node("Identity", ["d"], ["o"]))
    body = helper.make_graph(nodes, "body", [value("s", TensorProto.FLOAT, None), value("r", TensorProto.FLOAT, None)],
                             [value("t", TensorProto.FLOAT, None), value("o", TensorProto.FLOAT, None)],
                             [numpy_helper.from_array(np.array([axis]), "axes")])
    check(name, [("Scan", "x m", "f z", {"body": body, "num_scan_inputs": 1}), ("Transpose", "z", "y", {"perm": [1, 0]})], x,
          {"m": constant(9, FEATURES)}, opset=18)


distances("distances", "ReduceSumSquare")
distances("distances_manhattan", "Abs", "ReduceSum")
distances("scan_distances_sum", "ReduceSum")
distances("scan_distances_axis", "ReduceSumSquare", axis=0)
distances("scan_distances_state", "ReduceSumSquare", state="d0")
distances("no_distances_circle", "ReduceSumSquare", state="t")
places = [("ArgMax", "x", "k", {"axis": 1, "keepdims": 0})]  # whole numbers from 0 to 4
for name, attributes in ("", {"keys_int64s": [1, 3, 2, 9], "values_int64s": [-7, 100, 2, 0]}), ("_floats", {
        "keys_int64s": [4, 0], "values_floats": [1.5, -2.5], "default_float": 0.25}):
    check(f"encode_label{name}", [*places, ("ml.LabelEncoder", "k", "y", attributes)], x)
check("encode_label_of_floats", [*places, ("Cast", "k", "f", {"to": 1}), ("ml.LabelEncoder", "f", "y", {
    "keys_floats": [1.0, 2.0], "values_int64s": [10, 20], "default_int64": 5})], x)
check("no_encode_label_equal", [*places, ("ml.LabelEncoder", "k", "y", {"keys_int64s": [1, 1], "values_int64s": [2, 3]})], x)
check("no_encode_label_strings", [*places, ("ml.LabelEncoder", "k", "y", {"keys_int64s": [1], "values_strings": ["a"]})], x)
check("encode_one_hot", [*places, ("ml.OneHotEncoder", "k", "y", {"cats_int64s": [2, 0, 4]})], x)
check("encode_one_hot_floats", [("Mul", "x two", "t", {}), ("ml.OneHotEncoder", "t", "y", {"cats_int64s": [0, 1, -2]})], x,
      {"two": np.float32(2)})
check("power_zero", [("Pow", "x z", "y", {})], x, {"z": np.float32(0)})

for name, transform in ("", "SOFTMAX"), ("_logistic", "LOGISTIC"), ("_none", "NONE"):
    check(f"linear_classes{name}", [("ml.LinearClassifier", "x", "l y", {
        "coefficients": constant(3 * FEATURES).tolist(), "intercepts": [0.5, 0, -0.25], "classlabels_ints": [4, 9, -1],
        "post_transform": transform, "multi_class": 1})], x, outputs=("l", "y"))
check("linear_regression", [("ml.LinearRegressor", "x", "y", {
    "coefficients": constant(2 * FEATURES).tolist(), "intercepts": [0.5, -2], "targets": 2})], x)
check("scaler", [("ml.Scaler", "x", "y", {"offset": constant(FEATURES).tolist(), "scale": constant(FEATURES).tolist()})], x)
check("scaler_one", [("ml.Scaler", "x", "y", {"offset": [0.5], "scale": [3.0]})], x)
for norm in "MAX", "L1", "L2":
    check(f"normalizer_{norm.lower()}", [("Concat", "x z", "c", {"axis": 0}), ("ml.Normalizer", "c", "y", {"norm": norm})], x,
          {"z": np.zeros((1, FEATURES), "float32")})
check("binarizer", [("ml.Binarizer", "x", "y", {"threshold": 0.25})], x)
check("imputer", [("Sqrt", "x", "r", {}), ("ml.Imputer", "r", "y", {
    "replaced_value_float": float("nan"), "imputed_value_floats": constant(FEATURES).tolist()})], x)
check("select_features", [("ml.ArrayFeatureExtractor", "x i", "y", {})], x, {"i": np.array([4, 0, 2])})
check("select_label", [("ArgMax", "x", "k", {"axis": 1, "keepdims": 0}), ("ml.ArrayFeatureExtractor", "c k", "y", {})], x,
      {"c": np.array([3, -1, 7, 5, 100])})
check("is_nan", [("Sqrt", "x", "r", {}), ("IsNaN", "r", "y", {})], x)
check("product", [("ReduceProd", "x a", "y", {"keepdims": 0})], x, {"a": np.array([1])}, opset=18)
check("no_wrap", [("Add", "q q", "s", {}), ("Cast", "s", "f", {"to": 1}), ("Add", "f x", "y", {})], x,
      more=[("q", 2, x, np.ones(x, "uint8"))])
check("no_attention_window", [("Attention", "x x x", "y", {"q_num_heads": 1, "kv_num_heads": 1, "left_window_size": 2})],
      [1, 6, 8], opset=28)
check("no_cast_small", [("Cast", "x", "i", {"to": 22}), ("Cast", "i", "y", {"to": 1})], x, opset=21)
check("space_to_depth_last", [("SpaceToDepth", "x", "y", {"blocksize": 2, "mode": "CRD"})], [1, 2, 4, 6], opset=28)
