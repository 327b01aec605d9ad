/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens ONNX files: maps the file and the files of its external tensors into memory.
 */
#ifndef MODEL_ONNX_FILE_H
#define MODEL_ONNX_FILE_H

#include "onnx/onnx_model.h"

struct onnx_file {
	struct onnx_model model; /* valid until onnx_file_close() */
	/* Private. */
	struct onnx_mapping *mapping;
	size_t mappings, capacity;
	char *directory[2];
	const char *path; /* while it is opened */
};

/* Returns whether a name of -M or an operand is the path of an ONNX file, by its ending. */
bool onnx_file_is_named(const char *name);

/*
 * Opens a file. The data of external tensors is in files whose names the file has: relative
 * paths below the directory of the file. They are refused if they are absolute, contain
 * "..", lead out of that directory by a symbolic link (except to the directory of the file
 * that a symbolic link `path` leads to), or are too short. Returns 0, or -1 and the
 * message, which begins with the path; nothing is to be closed after a failure.
 *
 * If another program shortens a file while it is mapped, reading its data raises SIGBUS; see
 * sys/bus_error.h.
 */
int onnx_file_open(const char *path, struct onnx_file *out, struct fault *f);
void onnx_file_close(struct onnx_file *file);
/*
 * Checks that no part of a file, or of the files of its external tensors, is missing. It
 * may still be of a version that onnx_file_open() refuses. Returns 0, or -1 and the
 * message, which begins with the path.
 */
int onnx_file_check(const char *path, struct fault *f);

#endif
