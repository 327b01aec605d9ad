/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Annotations of users, about runs or about moments in the history of hosts or benchmarks.
 */
#ifndef STORE_STORE_ANNOTATE_H
#define STORE_STORE_ANNOTATE_H

#include "store/store.h"

struct store_annotation {
	const char *text, *author; /* not empty */
	bool is_moment;
	int64_t at; /* of a moment: ns since 1970 */
};

/*
 * Makes an annotation of a text: of the moment `at`, in the formats of stamp_option, or, if
 * it is NULL, of runs; the number of named runs is given. The author is left empty. now_ns:
 * ns since 1970. Returns 0, or -1 and a message about usage.
 */
int store_annotation_init(struct store_annotation *annotation, const char *text,
    const char *at, const struct store_filter *filter, size_t runs, int64_t now_ns,
    struct fault *f);
/*
 * Annotates each selected run; or a moment, once for each host and benchmark that the
 * filter names exactly, an empty list being all. An equal annotation is not repeated.
 * *count: how many were selected. 0 or -1.
 */
int store_annotate(struct store *s, const struct store_annotation *annotation,
    const struct store_filter *filter, uint64_t *count, struct fault *f);
/* Removes annotations by their numbers in the list, all or none. 0 or -1. */
int store_unannotate(struct store *s, char *const *number, size_t count, struct fault *f);
/*
 * Lists the annotations of the selected runs, and the moments of their hosts and benchmarks
 * from the first of them, or filter->since, on; all without a filter. 0 or -1.
 */
int store_list_annotations(struct store *s, const struct store_filter *filter,
    struct store_output *out, struct fault *f);

#endif
