/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that an engine takes the batches of an input in turn.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "backends/ref/ref.h"
#include "engine/engine.h"
#include "model/model.h"
#include "tests/lib/tap.h"

enum { FILES = 3 };

/* Makes a directory with one float32 element in each file: 1, 2 and 3. */
static void make_files(char folder[])
{
	if (!mkdtemp(folder))
		return;
	for (int i = 0; i < FILES; i++) {
		char *path = str_format("%s/%d.raw", folder, i);
		FILE *file = fopen(path, "w");
		const float element = (float)(i + 1);

		if (file) {
			fwrite(&element, sizeof(element), 1, file);
			fclose(file);
		}
		free(path);
	}
}

static void remove_files(const char *folder)
{
	for (int i = 0; i < FILES; i++) {
		char *path = str_format("%s/%d.raw", folder, i);

		unlink(path);
		free(path);
	}
	rmdir(folder);
}

/* Opens a copy of two elements. */
static struct engine *open_copy(const char *folder, bool first_batch, struct fault *f)
{
	const struct engine_input input = { "a", folder };
	const struct binding size = { "n", "2" };
	struct graph graph = { 0 };
	struct engine_opts config = { .backend = &backend_ref,
		.device = { .abi = BACKEND_ABI },
		.graph = { &graph },
		.rounding = BACKEND_FLOAT32,
		.input = &input,
		.inputs = 1,
		.first_batch = first_batch };
	enum engine_trouble trouble;
	struct model *m = kernel_open("copy", f);
	struct engine *e = NULL;
	const struct model_expand_opts opts = {
		.param = &size, .params = 1, .dtype = BACKEND_FLOAT64
	};

	if (m && model_expand(m, &opts, &graph, f) == 0)
		e = engine_open(&config, &trouble, f);
	model_close(m);
	return e;
}

/* Takes the next batch and runs the kernel. Returns whether the results are these two. */
static bool next_gives(struct engine *e, double first, double second)
{
	const struct graph *g = engine_graph(e, MODEL_FORWARD);
	uint32_t out = 0;
	double x[2];
	struct fault f;

	while (out < g->values && g->value[out].role != BACKEND_OUTPUT)
		out++;
	return out < g->values && engine_next_batch(e, &f) == 0 &&
	       engine_run(e, MODEL_FORWARD, 0, &f) == 0 && engine_sync(e, &f) == 0 &&
	       engine_read(e, MODEL_FORWARD, out, x, &f) == 0 && x[0] == first &&
	       x[1] == second;
}

int main(void)
{
	const char *base = getenv("TMPDIR");
	char *folder = str_format("%s/batches.XXXXXX", base && *base ? base : "/tmp");
	struct fault f = { "" };
	struct engine *e;

	make_files(folder);
	e = open_copy(folder, false, &f);
	if (tap_ok(e && engine_has_batches(e), "three elements are two batches of two %s",
	        f.text)) {
		tap_ok(next_gives(e, 1, 2), "the first batch comes first");
		tap_ok(next_gives(e, 3, 1),
		    "the last batch is completed with the first element");
		tap_ok(next_gives(e, 1, 2), "the first batch follows the last one");
	}
	engine_close(e);
	e = open_copy(folder, true, &f);
	tap_ok(e && !engine_has_batches(e) && next_gives(e, 1, 2) && next_gives(e, 1, 2),
	    "an engine can read only the first batch");
	engine_close(e);
	remove_files(folder);
	free(folder);
	return tap_end();
}
