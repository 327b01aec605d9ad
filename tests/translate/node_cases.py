# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the results of ref with those that the ONNX project publishes for its operators, the backend test cases of
its package, for the same inputs.

Arguments: the program ref_passes, a directory, and perhaps operators. Prints "NAME ERROR" for each case, where ERROR
is the largest difference, in the tolerance of the case; "NAME lack: MESSAGE" if the import refuses the model; or
"NAME: MESSAGE". Inputs that the import makes constants become initializers.
"""
import glob
import os
import shutil
import subprocess
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases
from onnx.backend.test.loader import load_model_tests


def numbers(value):
    """Returns a tensor as an array of a type that NumPy's own files can hold, or None."""
    if isinstance(value, onnx.TensorProto):
        value = numpy_helper.to_array(value)
    if not isinstance(value, (np.ndarray, np.generic)):
        return None
    value = np.asarray(value)
    if value.dtype.kind in "biuf" and value.dtype.isbuiltin:
        return value
    return None if value.dtype.kind in "OSUcM" else value.astype("float32")


def run(folder, path, feeds):
    """Returns the names of the inputs and the outputs by name, or None and the reason of a failure."""
    given = []
    for i, (name, x) in enumerate(feeds.items()):
        given.append(f"input={name}={folder}/in{i}.npy")
        np.save(f"{folder}/in{i}.npy", np.ascontiguousarray(x.astype("uint8") if x.dtype == bool else x))
    made = subprocess.run([sys.argv[1], "model", path, "0", folder, *given], capture_output=True, text=True)
    if made.returncode:
        return None, made.stderr.strip().removeprefix("ref_passes: ").replace("\n", " ") or f"status {made.returncode}"
    inputs, outputs = [], {}
    for line in made.stdout.splitlines():
        field = line.split("\t")
        if field[1:3] == ["before", "input"]:
            inputs.append(field[3])
        if field[1:3] == ["after", "output"]:
            outputs[field[3]] = np.fromfile(os.path.join(folder, field[6]))
    return inputs, outputs


def with_initializers(model, feeds, names):
    """Returns the model with these inputs as initializers, and another input."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    left = [i for i in made.graph.input if i.name not in names]
    del made.graph.input[:]
    made.graph.input.extend(left)
    for n in names:
        tensor = feeds[n] if isinstance(feeds[n], onnx.TensorProto) else numpy_helper.from_array(np.asarray(feeds[n]), n)
        made.graph.initializer.append(tensor)
        made.graph.initializer[-1].name = n
    # A result of an input keeps a model from having constant results only.
    made.graph.input.append(helper.make_tensor_value_info("another", onnx.TensorProto.FLOAT, [1]))
    made.graph.node.append(helper.make_node("Neg", ["another"], ["opposite"]))
    made.graph.output.append(helper.make_tensor_value_info("opposite", onnx.TensorProto.FLOAT, [1]))
    return made


def difference(got, wanted, rtol, atol):
    if got.size != wanted.size:
        return f": {got.size} elements instead of {wanted.size}"
    wanted = wanted.astype("float64").ravel()
    same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    # Sums of float32 whose terms cancel each other are as inexact as their largest ones.
    atol = max(atol, 2**-20 * np.abs(wanted[np.isfinite(wanted)]).max(initial=0))
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.abs(got - wanted) / (rtol * np.abs(wanted) + atol)
    apart = np.where(same, 0, np.where(np.isnan(apart), np.inf, apart))
    return f" {apart.max(initial=0):.2g}"


def tolerances(tensor, rtol, atol):
    """Returns those of an output; the cases have no wider ones for types of 16 bits, which the import does not round to."""
    wide = {onnx.TensorProto.BFLOAT16: 2**-6, onnx.TensorProto.FLOAT16: 2**-8}
    kind = tensor.type.tensor_type.elem_type
    return max(rtol, wide.get(kind, 0)), max(atol, wide.get(kind, 0) / 8)


def check(name, model, inputs, outputs, rtol, atol):
    folder = os.path.join(sys.argv[2], "case")
    path = os.path.join(folder, f"{name}.onnx")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    feeds = {i.name: numbers(x) for i, x in zip(model.graph.input, inputs)}
    feeds = {n: x for n, x in feeds.items() if x is not None}
    wanted = {o.name: numbers(x) for o, x in zip(model.graph.output, outputs)}
    onnx.save(model, path)
    ports, made = run(folder, path, feeds)
    missing = [n for n, x in feeds.items() if (x.dtype.kind in "iub" if ports is None else n not in ports)]
    if missing:
        as_is = (ports, made)
        onnx.save(with_initializers(model, dict(zip((i.name for i in model.graph.input), inputs)), missing), path)
        ports, made = run(folder, path, {n: x for n, x in feeds.items() if n not in missing})
        if as_is[0] is None and ports is None and "none of its outputs" in made:
            ports, made = as_is
    if ports is None:
        kind = " lack" if "benchutils' own backends" in made else ""
        return f"{name}{kind}: {made}"
    error = " 0"
    for output in model.graph.output:
        x = wanted[output.name]
        if x is None or output.name not in made:
            return f"{name}: there is no output {output.name}"
        each = difference(made[output.name], x, *tolerances(output, rtol, atol))
        if each[0] == ":":
            return name + each
        error = max(error, each, key=float)
    return name + error


def tensors(folder, kind, values):
    """Returns the inputs or outputs of a case in files; None if one is no tensor."""
    if any(not v.type.HasField("tensor_type") for v in values):
        return None
    return [onnx.load_tensor(os.path.join(folder, f"{kind}_{i}.pb")) for i in range(len(values))]


def cases_in_files(kind):
    """Returns the cases of the package that are files, of which none is a large model."""
    for case in load_model_tests(kind=kind):
        model = onnx.load(os.path.join(case.model_dir, "model.onnx"))
        filled = {i.name for i in model.graph.initializer}
        left = [i for i in model.graph.input if i.name not in filled]
        del model.graph.input[:]
        model.graph.input.extend(left)
        for folder in sorted(glob.glob(os.path.join(case.model_dir, "test_data_set_*"))):
            data = tensors(folder, "input", model.graph.input), tensors(folder, "output", model.graph.output)
            if None not in data:
                yield case.name, model, data, case.rtol, case.atol


def all_cases():
    for case in sorted(collect_testcases(), key=lambda c: c.name):
        for data in case.data_sets or []:
            yield case.name, case.model, data, case.rtol, case.atol
    for kind in "simple", "pytorch-converted", "pytorch-operator":
        yield from cases_in_files(kind)


def fits_float32(values):
    """Returns whether numbers can be represented in float32: some cases have any 64 bits."""
    x = [numbers(v) for v in values]
    return all(v is None or not (np.abs(v[np.isfinite(v)].astype("float64")) > 3e38).any() for v in x)


for name, model, data, rtol, atol in all_cases():
    if sys.argv[3:] and not any(n.op_type in sys.argv[3:] for n in model.graph.node):
        continue
    if not fits_float32([*data[0], *data[1]]):
        print(f"{name} skip")
    else:
        print(check(name, model, *data, rtol, atol), flush=True)
