# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the files of this directory that are not ONNX, in the present directory.

    python3 make_formats.py        needs the packages tensorflow, paddlepaddle and openvino, and mlp.onnx

Each program writes its own format: TensorFlow conv.tflite and conv.pb, Paddle layer.pdmodel with
layer.pdiparams, and OpenVINO mlp.xml with mlp.bin. The weights are random numbers of a fixed seed.
"""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["FLAGS_enable_pir_api"] = "0"  # Paddle 3 writes another format otherwise

import numpy as np
import openvino
import paddle
import tensorflow as tf
from paddle.base.proto import framework_pb2

random = np.random.default_rng(1)


class Conv(tf.Module):
    """A convolution, the mean over its pixels, and a layer of 5 numbers."""

    def __init__(self):
        super().__init__()
        self.kernel = tf.constant(random.normal(size=(3, 3, 3, 4)) / 5, tf.float32)
        self.weight = tf.constant(random.normal(size=(4, 5)), tf.float32)
        self.bias = tf.constant(random.normal(size=5), tf.float32)

    @tf.function(input_signature=[tf.TensorSpec([1, 8, 8, 3], tf.float32, name="image")])
    def __call__(self, image):
        y = tf.nn.relu(tf.nn.conv2d(image, self.kernel, 1, "SAME"))
        return tf.matmul(tf.reduce_mean(y, [1, 2]), self.weight) + self.bias


conv = Conv()
function = conv.__call__.get_concrete_function()
with open("conv.tflite", "wb") as file:
    file.write(tf.lite.TFLiteConverter.from_concrete_functions([function], conv).convert())
tf.io.write_graph(function.graph.as_graph_def(), ".", "conv.pb", as_text=False)
image = (np.arange(192) * 37 % 101 / 50 - 1).reshape(1, 8, 8, 3).astype(np.float32)
print("conv", conv(tf.constant(image)).numpy())

paddle.seed(1)
layer = paddle.nn.Sequential(paddle.nn.Linear(8, 4), paddle.nn.ReLU())
paddle.jit.save(layer, "layer", input_spec=[paddle.static.InputSpec([None, 8], "float32", "x")])
os.remove("layer.pdiparams.info")
# The file also has the call stack of each operation, which names paths of this machine.
program = framework_pb2.ProgramDesc()
with open("layer.pdmodel", "rb") as file:
    program.ParseFromString(file.read())
for operation in program.blocks[0].ops:
    kept = [a for a in operation.attrs if a.name != "op_callstack"]
    del operation.attrs[:]
    operation.attrs.extend(kept)
with open("layer.pdmodel", "wb") as file:
    file.write(program.SerializeToString())
x = (np.arange(16) * 37 % 101 / 50 - 1).reshape(2, 8).astype(np.float32)
print("layer", layer(paddle.to_tensor(x)).numpy())

core = openvino.Core()
model = core.read_model("mlp.onnx")
openvino.save_model(model, "mlp.xml", compress_to_fp16=False)
print("mlp", core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(x)[0])
