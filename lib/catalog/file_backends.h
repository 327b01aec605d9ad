/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the backends that can run a model file.
 */
#ifndef CATALOG_FILE_BACKENDS_H
#define CATALOG_FILE_BACKENDS_H

#include "device/devices.h"
#include "onnx/onnx_model.h"
#include "text/shell_words.h"

struct file_backends {
	struct buf able; /* their names, separated by spaces */
	struct buf
	    unable; /* the others with the reason: "cpu, ref: REASON; NAME: REASON" */
};

/*
 * Finds the backends that can run a model file. An engine can if it reads the format of the
 * file; it is not asked to load the file. The other backends can if the file is ONNX and
 * can be imported with these parameters; `model` is its contents, or NULL if it is not
 * ONNX. Without a device that can be used, a backend of that kind is left out. The caller
 * frees the strings.
 */
void file_backends_find(struct file_backends *out, const struct devices *d,
    const char *path, const struct onnx_model *model, const struct binding *param,
    size_t params);
void file_backends_free(struct file_backends *b);

#endif
