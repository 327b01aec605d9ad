/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the wire format of protocol buffers into structs, as tables of fields describe.
 * Pure.
 *
 * A message is scanned twice: the first scan counts the elements of each list, so that its
 * array is allocated once and never moved; the second stores the fields. Both skip fields
 * that the table does not have. Strings and bytes remain in the file.
 */
#ifndef PROTOBUF_WIRE_H
#define PROTOBUF_WIRE_H

#include "base/arena.h"
#include "base/base.h"

/* How a field is stored: in a member of this type, at `offset`. */
enum wire_kind {
	WIRE_INT,    /* int64_t; the last one wins */
	WIRE_STRING, /* struct text, in UTF-8; likewise */
	WIRE_BYTES,  /* struct text; likewise */
	WIRE_FLOAT,  /* float; likewise */
	WIRE_INLINE, /* a struct inside this one; at most once */
	WIRE_CHILD,  /* a pointer to a struct; at most once */
	/* Lists: a pointer to an array, and a uint32_t at `more` for its length. */
	WIRE_INTS,
	WIRE_FLOATS,
	WIRE_STRINGS,
	WIRE_BYTES_LIST,
	WIRE_CHILDREN,
	/* Lists whose length alone is stored, in a uint64_t. */
	WIRE_COUNT_INTS,
	WIRE_COUNT_FLOATS,
	WIRE_COUNT_DOUBLES,
	WIRE_COUNT_MESSAGES, /* also of bytes and strings */
};

struct wire_message;

struct wire_field {
	uint32_t number;
	enum wire_kind kind;
	const char *name;
	size_t offset;
	/* For lists: the offset of the length. For others: that of a bool, which is set to
	 * true when the field is present; 0: none. */
	size_t more;
	const struct wire_message *message; /* for INLINE, CHILD and CHILDREN */
};

struct wire_reader;

struct wire_message {
	const char *name;
	size_t size; /* of the struct */
	const struct wire_field *field;
	size_t fields; /* at most WIRE_FIELDS */
	bool nests;    /* the message counts for the limit of the depth */
	/* Checks a struct that was read, and completes it; may be NULL. Returns 0, or -1
	 * and the message by wire_fail(). */
	int (*check)(struct wire_reader *r, void *object, struct text bytes);
	/* Returns words that name a struct in messages, to be freed; may be NULL. */
	char *(*label)(const void *object);
};

enum { WIRE_FIELDS = 16 };

struct wire_reader {
	struct text file;
	struct arena *arena;
	size_t memory, memory_max; /* bytes in the arena */
	int depth, depth_max;
	int places; /* that the message names */
	struct fault *fault;
};

/* A field of a message. */
struct wire_item {
	uint32_t number, type; /* the type: one of those below */
	uint64_t value;        /* of types other than WIRE_TYPE_BYTES */
	struct text bytes;     /* of WIRE_TYPE_BYTES */
};

enum { WIRE_TYPE_VARINT = 0, WIRE_TYPE_64 = 1, WIRE_TYPE_BYTES = 2, WIRE_TYPE_32 = 5 };

/* Takes a varint from the beginning of the bytes. Returns false if it does not end there,
 * or has more than 64 bits. */
bool wire_varint(struct text *bytes, uint64_t *out);
/* Takes the next field from the beginning of the bytes, which are not empty. Returns NULL,
 * or what is wrong with the bytes. */
const char *wire_next(struct text *bytes, struct wire_item *out);

/* Reads a message into a struct, which must be zero. Returns 0, or -1 and the message. */
int wire_read(
    struct wire_reader *r, const struct wire_message *m, struct text bytes, void *object);
/* Sets the message, which begins with the number of the byte `at`. Returns -1. */
int wire_fail(struct wire_reader *r, const char *at, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#endif
