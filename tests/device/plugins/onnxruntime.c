/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An engine in the place of ONNX Runtime, with the devices that a test lists. */
#include "listed.h"

LISTED_BACKEND("onnxruntime", "FAKE_ONNXRUNTIME", WHOLE_ENGINE);
