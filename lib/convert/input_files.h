/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the files that are to be converted, including those in directories.
 */
#ifndef CONVERT_INPUT_FILES_H
#define CONVERT_INPUT_FILES_H

#include "convert/convert.h"

/* Zero it to begin. */
struct input_files {
	struct convert_input *input;
	size_t count, cap;
};

/*
 * Reads a file ("-": standard input), or all files in a directory and the directories in
 * it, without hidden files, and without links to directories. Of a directory of
 * Criterion.rs, which keeps earlier results, and estimates next to samples, it reads the
 * newest samples. Returns 0, or -1 and the message.
 */
int input_files_add(struct input_files *files, const char *path, struct fault *f);
void input_files_free(struct input_files *files);

#endif
