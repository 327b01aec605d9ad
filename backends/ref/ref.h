/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the backend ref, which is compiled in: plain C in double precision, the
 * reference with which the other backends are compared. */
#ifndef REF_REF_H
#define REF_REF_H

#include "bench-backend.h"

extern const struct backend backend_ref;

#endif
