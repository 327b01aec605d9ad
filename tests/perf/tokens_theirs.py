# SPDX-License-Identifier: GPL-3.0-or-later
# Generates tokens with ONNX Runtime or OpenVINO in a loop of its own, and stamps each of them:
# tokens_theirs.py ENGINE PROMPT.onnx STEP.onnx TOKENS THREADS SECONDS. The models are those of bench-list
# --export. Prints a table in the format of bench-csv(5).
import sys
import time

import numpy as np

WARMUPS = 3
AFTER = ".after"
TYPES = {
    "tensor(float)": np.float32,
    "tensor(int32)": np.int32,
    "tensor(int64)": np.int64,
}


def elements(name, size, dtype):
    """Returns small numbers: a lookup must not be beyond its table."""
    count = int(np.prod(size, dtype=np.int64))
    if dtype == np.float32:
        return (np.arange(count) * 37 % 101 / 50 - 1).astype(dtype).reshape(size)
    return (np.arange(count) % 50).astype(dtype).reshape(size)


class Runtime:
    """ONNX Runtime, with a binding for each set of buffers that a pass reads and writes."""

    def __init__(self, prompt, step, threads):
        import onnxruntime

        self.ort = onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.prompt, self.step = (
            onnxruntime.InferenceSession(
                path, options, providers=["CPUExecutionProvider"]
            )
            for path in (prompt, step)
        )
        given = {i.name: self.value(i) for i in self.prompt.get_inputs()}
        drawn = {o.name: self.value(o) for o in self.prompt.get_outputs()}
        self.first = self.bind(self.prompt, given, drawn)
        states = {
            name[: -len(AFTER)]: v for name, v in drawn.items() if name.endswith(AFTER)
        }
        inputs = {i.name: i for i in self.step.get_inputs()}
        kept = {name: states.get(name) or self.value(inputs[name]) for name in inputs}
        self.past = kept.get("past")
        written = [
            {o.name: self.value(o) for o in self.step.get_outputs()} for _ in range(2)
        ]
        chains = [
            {n: w.get(n + AFTER, kept[n]) for n in inputs} for w in written
        ]
        self.steps = [
            self.bind(self.step, kept, written[0]),
            self.bind(self.step, chains[0], written[1]),
            self.bind(self.step, chains[1], written[0]),
        ]
        self.token = next(n for n in drawn if drawn[n].data_type() == "tensor(int32)")
        self.drawn, self.written = drawn, written
        self.capacity = next(i.shape[1] for n, i in inputs.items() if "keys" in n)

    def value(self, port):
        return self.ort.OrtValue.ortvalue_from_numpy(
            elements(port.name, port.shape, TYPES[port.type])
        )

    def bind(self, session, inputs, outputs):
        binding = session.io_binding()
        for name, value in inputs.items():
            binding.bind_ortvalue_input(name, value)
        for name, value in outputs.items():
            binding.bind_ortvalue_output(name, value)
        return session, binding

    def run(self, number, past):
        if number == 0:
            session, binding = self.first
            values = self.drawn
        else:
            which = 0 if number == 1 else 1 + number % 2
            session, binding = self.steps[which]
            values = self.written[1 if which == 1 else 0]
            if self.past:
                self.past.update_inplace(np.array(past, np.int64))
        session.run_with_iobinding(binding)
        return int(values[self.token].numpy().flat[0])


class Vino:
    """OpenVINO, with a request for each set of buffers that a pass reads and writes."""

    def __init__(self, prompt, step, threads):
        import openvino

        core = openvino.Core()
        config = {
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
            "INFERENCE_PRECISION_HINT": "f32",
        }
        models = [
            core.compile_model(core.read_model(path), "CPU", config)
            for path in (prompt, step)
        ]
        self.prompt = models[0].create_infer_request()
        for port in models[0].inputs:
            self.fill(self.prompt, port)
        self.steps = [models[1].create_infer_request() for _ in range(3)]
        names = [p.any_name for p in models[1].inputs]
        outputs = [p.any_name for p in models[1].outputs]
        drawn = {p.any_name: self.prompt.get_tensor(p) for p in models[0].outputs}
        self.past = [None] * 3
        last = drawn
        for k, request in enumerate(self.steps):
            for port in models[1].inputs:
                name = port.any_name
                if name == "past":
                    self.past[k] = request.get_tensor(port)
                elif name + AFTER in last or name + AFTER in drawn:
                    request.set_tensor(
                        port, last.get(name + AFTER, drawn.get(name + AFTER))
                    )
                else:
                    self.fill(request, port)
            last = {p.any_name: request.get_tensor(p) for p in models[1].outputs}
        # The second request reads what the first wrote; the third reads what the second wrote and writes
        # where the first wrote.
        for port in models[1].outputs:
            self.steps[2].set_tensor(port, self.steps[0].get_tensor(port))
        self.capacity = next(
            p.shape[1] for p in models[1].inputs if "keys" in p.any_name
        )
        token = next(
            n for n in outputs if n[: -len(AFTER)] in names and drawn[n].data.dtype == np.int32
        )
        self.requests = [self.prompt, *self.steps]
        self.tokens = [request.get_tensor(token).data for request in self.requests]

    def fill(self, request, port):
        tensor = request.get_tensor(port)
        tensor.data[:] = elements(port.any_name, tensor.data.shape, tensor.data.dtype)

    def run(self, number, past):
        which = number if number < 2 else 2 + number % 2
        if number and self.past[which - 1] is not None:
            self.past[which - 1].data[...] = past
        # Without share_outputs, infer copies all outputs: also the keys and values of all earlier tokens.
        self.requests[which].infer(share_outputs=True)
        return int(self.tokens[which].flat[0])


def main():
    engine, prompt, step, tokens, threads, seconds = sys.argv[1:]
    tokens = int(tokens)
    model = {"onnxruntime": Runtime, "openvino": Vino}[engine](
        prompt, step, int(threads)
    )
    past = model.capacity - tokens
    stamps = []
    end = time.monotonic() + float(seconds)
    while len(stamps) < WARMUPS + 3 or time.monotonic() < end:
        row = [time.perf_counter_ns()]
        for k in range(tokens):
            model.run(k, past + k - 1)
            row.append(time.perf_counter_ns())
        stamps.append(row)
    print("metric,unit,value")
    for row in stamps[WARMUPS:]:
        print(f"first_token,ns,{row[1] - row[0]}")
        for a, b in zip(row[1:], row[2:]):
            print(f"inter_token,ns,{b - a}")


main()
