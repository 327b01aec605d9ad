/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Annotations: text that users attach to runs, or to moments on hosts or of benchmarks.
 */
#ifndef STORE_STORE_ANNOTATE_H
#define STORE_STORE_ANNOTATE_H

#include "store/store.h"

struct store_annotation {
	const char *text, *author; /* not empty */
	bool is_moment;
	int64_t at; /* of a moment: ns since 1970 */
};

struct store_annotation_opts {
	const char *text;
	const char *at; /* a moment, in the formats of stamp_option; NULL: runs */
	const struct store_filter *filter;
	size_t runs;    /* the number of named runs */
	int64_t now_ns; /* since 1970 */
};

/* Initializes an annotation, without its author. Returns 0, or -1 and a message about
 * usage. */
int store_annotation_init(struct store_annotation *annotation,
    const struct store_annotation_opts *opts, struct fault *f);
/*
 * Annotates each selected run; or a moment, once for each host and benchmark that the
 * filter names exactly, where an empty list means all. Does not add an annotation twice.
 * *count: the number of selected runs or moments. Returns 0, or -1 and the message.
 */
int store_annotate(struct store *s, const struct store_annotation *annotation,
    const struct store_filter *filter, uint64_t *count, struct fault *f);
/* Removes annotations by their numbers in the list, all or none. Returns 0, or -1 and the
 * message. */
int store_unannotate(struct store *s, char *const *number, size_t count, struct fault *f);
/*
 * Lists the annotations of the selected runs, and those of moments on their hosts and
 * benchmarks since the first of these runs or since filter->since. Without a filter, lists
 * all annotations. Returns 0, or -1 and the message.
 */
int store_list_annotations(struct store *s, const struct store_filter *filter,
    struct store_output *out, struct fault *f);

#endif
