/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads arrays of NumPy's archives (.npz): zip files whose members are files of NumPy,
 * stored or deflated. Pure.
 */
#ifndef PORT_NPZ_H
#define PORT_NPZ_H

#include "base/base.h"

/* Returns whether a file begins like a zip file. */
bool npz_is(struct text file);
/* Appends the file of NumPy with the array of this name. Returns 0, or -1 and the message
 * if there is none, or the archive is damaged. */
int npz_read(struct text file, const char *array, struct buf *out, struct fault *f);

#endif
