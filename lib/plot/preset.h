/*
 * The pictures that everybody asks for, by name: a kind with what it prefers to draw.
 */
#ifndef PRESET_H
#define PRESET_H

#include "plot/figure.h"

struct preset {
	const char *name, *meaning;
	const char *kind;
	const char *metric, *x; /* as in struct figure_kind */
};

extern const struct preset presets[];
extern const size_t presets_count;

/* The kind of this name, or that of the preset with what it prefers. False: neither. */
bool preset_kind(const char *name, struct figure_kind *out);

#endif
