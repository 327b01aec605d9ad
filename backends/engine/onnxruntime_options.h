/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes the options of ONNX Runtime's sessions from those of a model.
 */
#ifndef ONNXRUNTIME_OPTIONS_H
#define ONNXRUNTIME_OPTIONS_H

#include "onnxruntime_device.h"

/* Returns new options of a session for a model, or NULL and the reason. `cache` receives
 * the options that turn on caches on disk, as one line, or "off". */
struct ort_options *ort_options_make(const struct ort *o, const struct ort_target *t,
    uint32_t threads, const struct backend_model_source *from, char *cache, size_t size,
    char *why);
/* Returns the number of threads for backend_config's, which may be 0. */
uint32_t ort_threads(uint32_t wanted);

#endif
