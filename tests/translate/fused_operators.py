# SPDX-License-Identifier: GPL-3.0-or-later
"""The uses of operators of attention, of products, and of ONNX Runtime; see operator_model.py."""
import ml_dtypes
import numpy as np
from onnx import TensorProto

from operator_model import check, constant, number, one, random

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
# Operands of one dimension leave out a dimension of the result.
for name, shape, other in ("row", [5], (5, 4)), ("column", [3, 5], (5,)), ("dot", [5], (5,)), ("rows", [2, 3, 5], (5,)), ("batch", [5], (2, 5, 3)):
    check(f"matmul_{name}", [("MatMul", "x w", "p", {}), ("Add", "p one", "y", {})], shape, {"w": constant(*other), "one": number(1)})
check("matmul_softmax", [("Softmax", "x", "s", {}), ("MatMul", "s w", "y", {})], [2, 3, 5], {"w": constant(5)})
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
