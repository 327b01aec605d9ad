/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of bench-list for ONNX files.
 */
#ifndef CATALOG_LIST_ONNX_H
#define CATALOG_LIST_ONNX_H

#include "catalog/list_request.h"
#include "device/devices.h"
#include "io/render.h"

/* The columns of the table of models. Tables without an ONNX file end before
 * LIST_INPUTS. */
enum list_column {
	LIST_KIND,
	LIST_BENCH,
	LIST_SUBJECT,
	LIST_ARGS,
	LIST_CATEGORY,
	LIST_STATUS,
	LIST_PARAMS,
	LIST_MACS,
	LIST_MEMORY,
	LIST_INPUT_SHAPE,
	LIST_PARAMETERS,
	LIST_DESCRIPTION,
	LIST_INPUTS,
	LIST_OUTPUTS,
	LIST_BACKENDS,
	LIST_REJECTED_BY,
	LIST_OPERATORS,
	LIST_OPSET,
	LIST_PRODUCER,
	LIST_REMARK,
	LIST_COLUMNS
};

/* Prints the row of a file, with those of these backends that can run it. Returns 0, or -1
 * and the message. */
int list_onnx(const struct list_request *r, struct render *table,
    const struct devices *devices, const char *path, struct fault *f);

#endif
