/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Discards what libraries print while they load a model: hooks do not print.
 */
#ifndef ENGINE_MUTE_H
#define ENGINE_MUTE_H

/* The standard output and error of the process; -1 if they could not be saved. */
struct engine_mute {
	int out, err;
};

/* Discards the standard output and error of this process. */
struct engine_mute engine_mute_begin(void);
/* Restores them. */
void engine_mute_end(struct engine_mute m);

#endif
