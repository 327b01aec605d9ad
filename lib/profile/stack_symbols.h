/*
 * Stacks of places become stacks of names: equal names under equal callers are one, and the
 * frames through which the C library starts a program or a thread are left out.
 */
#ifndef FOLD_H
#define FOLD_H

#include "profile/maps.h"
#include "profile/stacks.h"
#include "profile/symbolizer.h"

struct fold {
	struct intern names;
	struct stacks stacks; /* where is a name; the first frame is the program's */
	bool programs;        /* there are several */
};

/* The object of the frames that are names of programs; where is for maps_comm_text. */
#define OBJECT_COMM UINT32_MAX

void fold_open(struct fold *out, const struct stacks *stacks, const struct maps *maps,
    struct symbolizer *symbolizer);
/* Whether any stack ends at the node. */
bool fold_ends(const struct fold *f, size_t node);
/* The names from the outermost on, "main;parse;strtod", the program's before if asked for.
 */
void fold_text(const struct fold *f, uint32_t node, bool program, struct buf *out);
struct text fold_program(const struct fold *f, uint32_t node);
/* A name without the line of source that may stand behind it. */
struct text fold_function(struct text name);
/* Whether it is one of the functions that a program or thread begins with. */
bool fold_is_start(struct text name);
void fold_close(struct fold *f);

#endif
