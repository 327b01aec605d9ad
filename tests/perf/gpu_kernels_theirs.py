# SPDX-License-Identifier: GPL-3.0-or-later
"""Times products and streams of PyTorch on a CUDA device, for gpu_kernels.sh.

usage: gpu_kernels_theirs.py SECONDS SIZES DTYPES ELEMENTS

SIZES and DTYPES are comma lists. Prints CSV: kernel, size, dtype and the time of an iteration in us.
Products of square matrices are those of cuBLAS, of normal random numbers; streams have ELEMENTS
elements. An iteration is one of a CUDA graph of 20, so that launches cost nothing; the time is the
median over replays, measured by events. float32 products do not use TF32. A kernel that fails prints
its error to standard error and no row.
"""

import statistics
import sys
import time

import torch

from lib.cuda_graph import captured

EACH = 20  # iterations of a graph


def median_us(graph, seconds):
    passes = []
    end = time.monotonic() + seconds
    while len(passes) < 10 or time.monotonic() < end:
        begin = torch.cuda.Event(enable_timing=True)
        done = torch.cuda.Event(enable_timing=True)
        begin.record()
        graph.replay()
        done.record()
        done.synchronize()
        passes.append(begin.elapsed_time(done) * 1e3 / EACH)
    return statistics.median(passes)


def product(size, dtype):
    if dtype == "int8":
        a = torch.randint(-127, 128, (size, size), dtype=torch.int8, device="cuda")
        # the second matrix is stored transposed, as cuBLAS is fastest
        b = torch.randint(-127, 128, (size, size), dtype=torch.int8, device="cuda").t()
        return lambda: torch._int_mm(a, b)
    torch.backends.cuda.matmul.allow_tf32 = dtype == "tf32"
    kind = torch.float32 if dtype == "tf32" else getattr(torch, dtype)
    a = torch.randn(size, size, device="cuda").to(kind)
    b = torch.randn(size, size, device="cuda").to(kind)
    out = torch.empty_like(a)
    return lambda: torch.mm(a, b, out=out)


def streams(elements, dtype):
    a = torch.randn(elements, device="cuda").to(getattr(torch, dtype))
    b = torch.randn(elements, device="cuda").to(getattr(torch, dtype))
    out = torch.empty_like(a)
    return {
        "copy": lambda: out.copy_(a),
        "scale": lambda: torch.mul(a, 3, out=out),
        "triad": lambda: torch.add(a, b, alpha=3, out=out),
    }


def report(kernel, size, dtype, make, seconds):
    try:
        with torch.inference_mode():
            us = median_us(captured(make(), EACH), seconds)
        print(f"{kernel},{size},{dtype},{us:.2f}", flush=True)
    except Exception as error:
        text = str(error).splitlines()
        print(
            f"{kernel} {size} {dtype}: {text[0] if text else type(error)}",
            file=sys.stderr,
        )
    torch.cuda.empty_cache()


def main(seconds, sizes, dtypes, elements):
    for dtype in dtypes.split(","):
        for size in sizes.split(","):
            report(
                "gemm", size, dtype, lambda: product(int(size), dtype), float(seconds)
            )
        if dtype in ("float32", "float64", "float16", "bfloat16"):
            for name in ("copy", "scale", "triad"):
                report(
                    name,
                    elements,
                    dtype,
                    lambda: streams(int(elements), dtype)[name],
                    float(seconds),
                )


if __name__ == "__main__":
    main(*sys.argv[1:])
