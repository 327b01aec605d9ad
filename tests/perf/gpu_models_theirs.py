# SPDX-License-Identifier: GPL-3.0-or-later
"""Times models of PyTorch on a CUDA device, for gpu_models.sh.

usage: gpu_models_theirs.py MODELS BATCHES DTYPES MODES SECONDS

Each of the first four is a comma list. Prints CSV: model, batch, dtype, mode, the median time of a
forward pass in us from its call to the end of a synchronization, and the number of passes. Weights
are random, as ours are. float32 products and convolutions do not use TF32. Modes are eager, graph
(a CUDA graph of the eager pass), eager-nhwc and graph-nhwc (channels last, for models with
convolutions of images), and compile (torch.compile, mode reduce-overhead). A mode that fails prints
its error to standard error and no row.
"""

import statistics
import sys
import time
import traceback

import torch

from lib.cuda_graph import captured

IMAGES = (
    "resnet50",
    "vit_b_16",
    "ddpm-cifar10",
    "sd15-unet",
    "clip-vit-base-patch32",
    "vit-gpt2",
)


def ids(batch, length, vocab):
    return torch.randint(0, vocab, (batch, length))


def resnet50(batch):
    import torchvision

    return torchvision.models.resnet50(), (torch.randn(batch, 3, 224, 224),), {}


def vit_b_16(batch):
    import torchvision

    return torchvision.models.vit_b_16(), (torch.randn(batch, 3, 224, 224),), {}


def bert(batch, **sizes):
    from transformers import BertConfig, BertModel

    return BertModel(BertConfig(**sizes)), (ids(batch, 128, 30522),), {}


def bert_large(batch):
    return bert(
        batch,
        hidden_size=1024,
        num_hidden_layers=24,
        num_attention_heads=16,
        intermediate_size=4096,
    )


def distilbert(batch):
    from transformers import DistilBertConfig, DistilBertModel

    return DistilBertModel(DistilBertConfig()), (ids(batch, 128, 30522),), {}


def gpt2(batch):
    from transformers import GPT2Config, GPT2LMHeadModel

    return (
        GPT2LMHeadModel(GPT2Config()),
        (ids(batch, 128, 50257),),
        {"use_cache": False},
    )


def t5_small(batch):
    from transformers import T5Config, T5ForConditionalGeneration

    model = T5ForConditionalGeneration(T5Config(decoder_start_token_id=0))
    return (
        model,
        (),
        {
            "input_ids": ids(batch, 128, 32128),
            "decoder_input_ids": ids(batch, 1, 32128),
            "use_cache": False,
        },
    )


def switch_base_8(batch):
    from transformers import (
        SwitchTransformersConfig,
        SwitchTransformersForConditionalGeneration,
    )

    config = SwitchTransformersConfig(
        d_ff=3072,
        num_sparse_encoder_layers=6,
        num_sparse_decoder_layers=6,
        num_decoder_layers=12,
        decoder_start_token_id=0,
    )
    return (
        SwitchTransformersForConditionalGeneration(config),
        (),
        {
            "input_ids": ids(batch, 128, 32128),
            "decoder_input_ids": ids(batch, 1, 32128),
            "use_cache": False,
        },
    )


def vit_gpt2(batch):
    from transformers import (
        GPT2Config,
        VisionEncoderDecoderConfig,
        VisionEncoderDecoderModel,
        ViTConfig,
    )

    config = VisionEncoderDecoderConfig.from_encoder_decoder_configs(
        ViTConfig(), GPT2Config()
    )
    model = VisionEncoderDecoderModel(config)
    return (
        model,
        (),
        {
            "pixel_values": torch.randn(batch, 3, 224, 224),
            "decoder_input_ids": ids(batch, 1, 50257),
            "use_cache": False,
        },
    )


def whisper_tiny(batch):
    from transformers import WhisperConfig, WhisperForConditionalGeneration

    # the defaults of the configuration are those of whisper-tiny
    model = WhisperForConditionalGeneration(WhisperConfig())
    return (
        model,
        (torch.randn(batch, 80, 3000),),
        {"decoder_input_ids": ids(batch, 1, 51865), "use_cache": False},
    )


def wav2vec2_base(batch):
    from transformers import Wav2Vec2Config, Wav2Vec2Model

    return Wav2Vec2Model(Wav2Vec2Config()), (torch.randn(batch, 16000),), {}


def clip(batch):
    from transformers import CLIPConfig, CLIPModel

    return (
        CLIPModel(CLIPConfig()),
        (),
        {
            "input_ids": ids(batch, 77, 49407),
            "pixel_values": torch.randn(batch, 3, 224, 224),
            "attention_mask": None,
        },
    )


def ddpm(batch):
    from diffusers import UNet2DModel

    model = UNet2DModel(
        sample_size=32,
        in_channels=3,
        out_channels=3,
        layers_per_block=2,
        block_out_channels=(128, 256, 256, 256),
        down_block_types=(
            "DownBlock2D",
            "AttnDownBlock2D",
            "DownBlock2D",
            "DownBlock2D",
        ),
        up_block_types=("UpBlock2D", "UpBlock2D", "AttnUpBlock2D", "UpBlock2D"),
        flip_sin_to_cos=False,
        freq_shift=1,
        attention_head_dim=None,
        downsample_padding=0,
        norm_eps=1e-6,
    )
    return model, (torch.randn(batch, 3, 32, 32), torch.rand(batch) * 1000), {}


def sd15(batch):
    from diffusers import UNet2DConditionModel

    model = UNet2DConditionModel(sample_size=64, cross_attention_dim=768)
    return (
        model,
        (
            torch.randn(batch, 4, 64, 64),
            torch.rand(batch) * 1000,
            torch.randn(batch, 77, 768),
        ),
        {},
    )


def mixtral(batch):
    from transformers import MixtralConfig, MixtralForCausalLM

    config = MixtralConfig(
        hidden_size=512,
        intermediate_size=1792,
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=1,
        num_local_experts=8,
        num_experts_per_tok=2,
        vocab_size=32000,
    )
    return MixtralForCausalLM(config), (ids(batch, 128, 32000),), {"use_cache": False}


MODELS = {
    "resnet50": resnet50,
    "vit_b_16": vit_b_16,
    "bert-base-uncased": bert,
    "bert-large-uncased": bert_large,
    "distilbert-base-uncased": distilbert,
    "gpt2": gpt2,
    "t5-small": t5_small,
    "vit-gpt2": vit_gpt2,
    "whisper-tiny": whisper_tiny,
    "wav2vec2-base": wav2vec2_base,
    "clip-vit-base-patch32": clip,
    "ddpm-cifar10": ddpm,
    "sd15-unet": sd15,
    "mixtral-small": mixtral,
    # last, because its capture fails, and that spoils the captures after it
    "switch-base-8": switch_base_8,
}


def moved(value, device, dtype):
    if not torch.is_tensor(value):
        return value
    return value.to(device, dtype) if value.is_floating_point() else value.to(device)


def channels_last(value):
    if torch.is_tensor(value) and value.dim() == 4:
        return value.to(memory_format=torch.channels_last)
    return value


def median_us(run, wait, seconds):
    for _ in range(5):
        run()
    wait()
    passes = []
    while len(passes) < 20 or sum(passes) < seconds * 1e9:
        start = time.perf_counter_ns()
        run()
        wait()
        passes.append(time.perf_counter_ns() - start)
    return statistics.median(passes) / 1e3, len(passes)


def measure(name, batch, dtype, modes, seconds, device):
    torch.manual_seed(1)
    with torch.device(device):
        model, args, kwargs = MODELS[name](batch)
    model = model.eval().to(device, dtype)
    args = [moved(a, device, dtype) for a in args]
    kwargs = {k: moved(v, device, dtype) for k, v in kwargs.items()}
    wait = torch.cuda.synchronize if device == "cuda" else lambda: None
    # channels-last modes come last because the model stays so
    for mode in sorted(modes, key=lambda m: (m.endswith("nhwc"), m == "compile")):
        if mode.endswith("nhwc"):
            if name not in IMAGES:
                continue
            model = model.to(memory_format=torch.channels_last)
            args = [channels_last(a) for a in args]
            kwargs = {k: channels_last(v) for k, v in kwargs.items()}
        if mode == "compile" and name == "resnet50":
            model = model.to(memory_format=torch.channels_last)
            args = [channels_last(a) for a in args]
        net = (
            torch.compile(model, mode="reduce-overhead") if mode == "compile" else model
        )

        def run():
            return net(*args, **kwargs)

        try:
            with torch.inference_mode():
                replay = captured(run).replay if mode.startswith("graph") else run
                us, passes = median_us(replay, wait, seconds)
            print(
                f"{name},{batch},{str(dtype)[6:]},{mode},{us:.1f},{passes}", flush=True
            )
        except Exception as error:
            text = str(error).splitlines()
            print(
                f"{name} {batch} {dtype} {mode}: {text[0] if text else type(error)}",
                file=sys.stderr,
            )
            if device == "cpu":
                traceback.print_exc()


def main(models, batches, dtypes, modes, seconds):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    for name in MODELS if models == "all" else models.split(","):
        for batch in batches.split(","):
            for dtype in dtypes.split(","):
                try:
                    measure(
                        name,
                        int(batch),
                        getattr(torch, dtype),
                        modes.split(","),
                        float(seconds),
                        device,
                    )
                except Exception as error:
                    print(f"{name} {batch} {dtype}: {error}", file=sys.stderr)
                if device == "cuda":
                    torch.cuda.empty_cache()


if __name__ == "__main__":
    main(*sys.argv[1:])
