/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One object of JSON (RFC 8259) as a list of members: a row of a table. Unlike json_doc.h,
 * numbers keep all their digits, and the memory is used again for the next object. Pure.
 */
#ifndef IO_JSON_MEMBERS_H
#define IO_JSON_MEMBERS_H

#include "base/base.h"
#include "io/csv_batch.h"

/* Zero it to begin. */
struct json_members {
	struct buf bytes; /* of names and values */
	struct json_member {
		size_t name, name_len, value, value_len; /* in bytes */
		size_t source; /* the position of the value in the text */
		enum field_type type;
	} * member;
	size_t count, cap;
};

/*
 * Parses an object, whose brackets outside of strings must match. A value is a string; a
 * number as it is written, except that a fraction of zeros is dropped; true or false;
 * nothing for null, NaN and Infinity; or the text of an array or object. Members of one
 * name are not detected. Returns NULL, or what is wrong, and sets *at to its position.
 */
const char *json_members_parse(struct json_members *o, struct text t, size_t *at);
struct text json_members_name(const struct json_members *o, size_t i);
struct text json_members_value(const struct json_members *o, size_t i);
/* Returns the member of a name, or -1. */
long json_members_find(const struct json_members *o, const char *name);
void json_members_free(struct json_members *o);

#endif
