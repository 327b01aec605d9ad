# SPDX-License-Identifier: GPL-3.0-or-later
"""CUDA graphs of PyTorch."""

import torch


def captured(run, times=1):
    """Returns a CUDA graph of this number of calls of run."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            run()
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(times):
            run()
    return graph
