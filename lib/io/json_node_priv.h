/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values of a JSON document in memory: an array of nodes in the order of the document,
 * with 16 bytes for each scalar and each name of a member, and 32 for each array and
 * object.
 */
#ifndef IO_JSON_NODE_PRIV_H
#define IO_JSON_NODE_PRIV_H

#include "io/json_doc.h"

enum json_kind {
	JSON_NODE_NULL,
	JSON_NODE_NAN,
	JSON_NODE_FALSE,
	JSON_NODE_TRUE,
	JSON_NODE_NUMBER,
	JSON_NODE_TEXT, /* also the name of a member, which its value follows */
	JSON_NODE_ARRAY,
	JSON_NODE_OBJECT,
	JSON_NODE_EXTENT, /* the second node of an array or object */
	JSON_NODE_MEMORY, /* before the document */
};

struct json_t {
	union {
		double number;
		const char *text; /* ends with a NUL */
		/* Of an EXTENT: the positions of many values, relative to the array; or the
		 * positions of the names of many members, sorted by name. Else NULL. */
		const uint32_t *index;
		struct arena *memory;
	};
	uint32_t count; /* bytes, values, or members; of an EXTENT: all nodes of the array
	                   or object */
	enum json_kind kind;
};

/* Values and members up to these numbers have no index. */
enum { JSON_FEW_VALUES = 8, JSON_FEW_MEMBERS = 16 };

/* Returns the number of nodes of a value. */
static inline size_t json_node_extent(const struct json_t *v)
{
	return v->kind == JSON_NODE_ARRAY || v->kind == JSON_NODE_OBJECT ? v[1].count : 1;
}

/* Returns the order of the names of two members. */
int json_node_compare(const struct json_t *a, const struct json_t *b);
/* Parses a document as doc_read() does. Returns NULL if it is refused. */
struct json_t *json_parse(struct text t);

#endif
