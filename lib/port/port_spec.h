/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses the source of an input: "PATH" or "PATH,NAME=VALUE,...", such as
 * "photos/,resize=256,mean=0.5". The settings begin at the first comma that is followed by
 * a word and an equals sign. Pure.
 */
#ifndef PORT_PORT_SPEC_H
#define PORT_PORT_SPEC_H

#include "picture/picture_prepare.h"

/* The contents of a source: arrays of elements, pictures, or sequences of tokens. */
enum port_kind { PORT_ARRAYS, PORT_PICTURES, PORT_SEQUENCES, PORT_KINDS };

enum port_format { PORT_ANY_FORMAT, PORT_RAW, PORT_TOKENS };

/* A source of an input. */
struct port_spec {
	char *path;
	enum port_format format;
	uint64_t batches; /* the number that is used; 0: all */
	bool pads;        /* whether `pad` is set */
	int64_t pad;      /* the token that fills up short sequences */
	struct picture_settings picture;
	/* By kind: the last setting that is only for sources of this kind, or NULL. */
	const char *only[PORT_KINDS + 1];
};

/* Parses a source. Returns 0, or -1 and the message, which names the setting. */
int port_spec_parse(const char *text, struct port_spec *out, struct fault *f);
void port_spec_free(struct port_spec *s);

#endif
