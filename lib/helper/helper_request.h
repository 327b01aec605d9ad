/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first message to bench-call and bench-compute, in the format of helper_proto.h.
 */
#ifndef HELPER_HELPER_REQUEST_H
#define HELPER_HELPER_REQUEST_H

#include "helper/helper_client.h"

/* Appends the request that these options make. */
void helper_request_put(struct buf *out, const struct helper_opts *opts);

#endif
