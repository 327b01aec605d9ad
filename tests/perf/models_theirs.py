# SPDX-License-Identifier: GPL-3.0-or-later
# Models of torch.nn, timed as bench-run times ours: models_theirs.py MODEL BATCH. Prints the
# median time of a forward pass in ns. The thread counts are those of the environment, which
# libraries read when they are loaded.
import statistics
import sys
import time

import torch
from torch import nn

MIN_SECONDS, MIN_PASSES, WARMUPS = 2, 10, 3


class Bottleneck(nn.Module):
    """ResNet v1.5: the stride is on the 3x3."""

    def __init__(self, channels, width, stride):
        super().__init__()
        out = 4 * width
        self.main = nn.Sequential(
            nn.Conv2d(channels, width, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, stride, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, out, 1, bias=False),
            nn.BatchNorm2d(out),
        )
        self.project = (
            nn.Sequential(
                nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out)
            )
            if channels != out or stride != 1
            else nn.Identity()
        )
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.act(self.main(x) + self.project(x))


def resnet50():
    layers = [
        nn.Conv2d(3, 64, 7, 2, 3, bias=False),
        nn.BatchNorm2d(64),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(3, 2, 1),
    ]
    channels = 64
    for blocks, width, stride in (3, 64, 1), (4, 128, 2), (6, 256, 2), (3, 512, 2):
        for i in range(blocks):
            layers.append(Bottleneck(channels, width, 1 if i else stride))
            channels = 4 * width
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 1000)]
    return nn.Sequential(*layers)


class Layer(nn.Module):
    """A pre-norm layer; on the CPU somewhat faster than nn.TransformerEncoderLayer."""

    def __init__(self):
        super().__init__()
        self.norm1 = nn.LayerNorm(768, eps=1e-6)
        self.attention = nn.MultiheadAttention(768, 12, batch_first=True)
        self.norm2 = nn.LayerNorm(768, eps=1e-6)
        self.mlp = nn.Sequential(
            nn.Linear(768, 3072), nn.GELU(), nn.Linear(3072, 768)
        )

    def forward(self, x):
        y = self.norm1(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        return x + self.mlp(self.norm2(x))


class VisionTransformer(nn.Module):
    """ViT-B/16 on images of 224x224."""

    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 768, 16, 16)
        self.token = nn.Parameter(torch.zeros(1, 1, 768))
        self.position = nn.Parameter(torch.randn(1, 197, 768) * 0.02)
        self.layers = nn.Sequential(*[Layer() for _ in range(12)])
        self.norm = nn.LayerNorm(768, eps=1e-6)
        self.head = nn.Linear(768, 1000)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(len(x), -1, -1), x], 1) + self.position
        return self.head(self.norm(self.layers(x))[:, 0])


def bert():
    """The encoder alone: no embeddings, no pooler."""
    layer = nn.TransformerEncoderLayer(
        768, 12, 3072, activation="gelu", layer_norm_eps=1e-12, batch_first=True
    )
    return nn.TransformerEncoder(layer, 12)


# How each is made, and the shape of a sample.
MODELS = {
    "resnet50": (resnet50, (3, 224, 224)),
    "vit_b_16": (VisionTransformer, (3, 224, 224)),
    "bert-base-uncased": (bert, (128, 768)),
}


def main(name, batch):
    torch.manual_seed(1)
    make, shape = MODELS[name]
    model = make().eval()
    x = torch.randn(batch, *shape)
    passes = []
    with torch.inference_mode():
        for _ in range(WARMUPS):
            model(x)
        while len(passes) < MIN_PASSES or sum(passes) < MIN_SECONDS * 1e9:
            start = time.perf_counter_ns()
            model(x)
            passes.append(time.perf_counter_ns() - start)
    print(statistics.median(passes))


main(sys.argv[1], int(sys.argv[2]))
