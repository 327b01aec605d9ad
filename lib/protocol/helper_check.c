/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the answers of helpers; see helper_check.h.
 */
#include "protocol/helper_check.h"

bool helper_answer_is_possible(const struct helper_answer *a, uint64_t requests)
{
	return a->extras <= HELPER_EXTRAS_MAX && a->spans <= HELPER_SPANS_MAX &&
	       a->tokens <= HELPER_TOKENS_MAX && a->requests <= HELPER_REQUESTS_MAX &&
	       a->requests <= requests;
}

bool helper_extras_are_possible(struct helper_extra *extra, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (extra[i].metric >= RUN_METRICS)
			return false;
		extra[i].part[sizeof(extra[i].part) - 1] = '\0';
	}
	return true;
}

bool helper_services_are_possible(
    const struct helper_service *service, size_t count, uint32_t workers)
{
	for (size_t i = 0; i < count; i++)
		if (service[i].worker >= workers || !service[i].batch)
			return false;
	return true;
}

void helper_spans_terminate(struct helper_span *span, size_t count)
{
	for (size_t i = 0; i < count; i++)
		span[i].name[sizeof(span[i].name) - 1] =
		    span[i].detail[sizeof(span[i].detail) - 1] = '\0';
}
