/*
 * The sides of a comparison: their names, and the machines that their rows came from. Pure.
 */
#ifndef SIDES_H
#define SIDES_H

#include "record/record.h"

enum { SIDES_MACHINE = 2 };

struct side {
	char *name;
	struct intern machine[SIDES_MACHINE]; /* texts of host and env seen */
	size_t machine_last[SIDES_MACHINE];
};

struct sides {
	struct side *side;
	size_t count, cap;
};

/* The number of a new side. */
size_t sides_add(struct sides *s, struct text name);
/* Remember the row's host and env. */
void side_note_machine(struct side *s, const struct row *row);
/*
 * Whether COL_HOST or COL_ENV has other texts on one side than on the other, with an
 * example from each. False where one of them does not say.
 */
bool sides_differ(const struct side *old_side, const struct side *new_side,
    enum column column, struct text *old, struct text *new);
void sides_free(struct sides *s);

#endif
