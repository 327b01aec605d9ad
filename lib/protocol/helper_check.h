/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the parts of answers of helpers. A helper shares its process with the function
 * that it runs, which may have overwritten its memory.
 */
#ifndef PROTOCOL_HELPER_CHECK_H
#define PROTOCOL_HELPER_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/helper_proto.h"

/* Returns whether the numbers of the parts that follow an answer are possible. requests is
 * the largest number of requests that the order allows. */
bool helper_answer_is_possible(const struct helper_answer *a, uint64_t requests);
/* Returns whether all values have a metric, and terminates their strings. */
bool helper_extras_are_possible(struct helper_extra *extra, size_t count);
/* Returns whether all services are those of a batch and of one of the workers. */
bool helper_services_are_possible(
    const struct helper_service *service, size_t count, uint32_t workers);
/* Terminates the strings of spans. */
void helper_spans_terminate(struct helper_span *span, size_t count);

#endif
