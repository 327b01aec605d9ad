/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a model list or kernel, with the weights that a seed gives, to an ONNX file.
 */
#ifndef ENGINE_LIST_EXPORT_H
#define ENGINE_LIST_EXPORT_H

#include "model/model.h"

/* The list to write, and how. */
struct list_export_opts {
	const char *name; /* of the model or kernel */
	bool kernel;
	enum model_phase phase;
	const struct binding *param; /* of the list; also dtype */
	size_t params;
	uint64_t seed;
	/* Whether the weights are in a second file in any case. Otherwise they are in the
	 * model, unless they need more than 1 GiB. */
	bool external;
};

/*
 * Writes the model to a file, and the weights that are not in the model to a second one,
 * whose name has the suffix ".data". Each file appears complete or not at all. The path
 * "-" is standard output. Returns 0, or -1 and the message.
 */
int list_export(const struct list_export_opts *o, const char *path, struct fault *f);

#endif
