/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Templates from a subjects table (what bench-list writes and bench-run -I reads).
 */
#ifndef SUBJECT_SUBJECT_FILE_H
#define SUBJECT_SUBJECT_FILE_H

#include "subject/subject.h"

/* Read the commands of a file ("-": standard input) and add them. 0 or -1. */
int subject_file_read(const char *path, struct templates *out, struct fault *f);

#endif
