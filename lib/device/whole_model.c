/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks a child process for the inputs and outputs of a model; see whole_model.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "device/whole_model.h"
#include "sys/child_answer.h"

enum { LIMIT_MS = 600000, PORTS_MAX = 4096 };

static struct {
	const struct backend_file *file;
	struct backend_config device;
	const struct backend_model_source *source;
} asked;

/* The answer; its ports follow. */
struct description {
	size_t inputs, ports;
	char engine[128], emulated[128];
};

static void keep_fact(void *context, const char *name, const char *value)
{
	struct description *d = context;

	if (strcmp(name, "engine") == 0)
		snprintf(d->engine, sizeof(d->engine), "%s", value);
	else if (strcmp(name, "emulated") == 0)
		snprintf(d->emulated, sizeof(d->emulated), "%s", value);
}

/* Appends the description of a loaded model. */
static int put_model(const struct backend_engine *engine, struct backend_model *m,
    struct buf *answer, struct fault *f)
{
	struct backend_port *port = mem_zero(PORTS_MAX, sizeof(*port));
	struct description d = { 0 };
	char why[BACKEND_WHY] = "";
	int count = engine->ports(m, port, PORTS_MAX, why), status = 0;

	if (count < 0)
		status = fault_set(f, "%s", why);
	else if (count > PORTS_MAX)
		status = fault_set(
		    f, "it has %d inputs and outputs, more than %d", count, PORTS_MAX);
	if (status == 0) {
		d.ports = (size_t)count;
		while (d.inputs < d.ports && !port[d.inputs].output)
			d.inputs++;
		if (engine->facts)
			engine->facts(m, keep_fact, &d);
		buf_put(answer, &d, sizeof(d));
		buf_put(answer, port, d.ports * sizeof(*port));
	}
	free(port);
	return status;
}

static int load_and_describe(struct buf *answer, struct fault *f)
{
	const struct backend *b = backend_load(asked.file, f);
	struct backend_session *session;
	struct backend_model *m;
	char why[BACKEND_WHY] = "";

	if (!b)
		return -1;
	if (!b->engine)
		return fault_set(f, "the backend runs no model files");
	session = b->open(&asked.device, why);
	m = session ? b->engine->load(session, asked.source, why) : NULL;
	return m ? put_model(b->engine, m, answer, f) : fault_set(f, "%s", why);
}

int whole_model_describe(const struct backend_file *file,
    const struct backend_config *device, const struct backend_model_source *source,
    struct whole_model *out, struct fault *f)
{
	struct buf answer = { 0 };
	struct description d;
	int status;

	*out = (struct whole_model){ 0 };
	asked.file = file;
	asked.device = *device;
	asked.source = source;
	status = child_answer(load_and_describe, LIMIT_MS, &answer, f);
	if (status == 0) {
		memcpy(&d, answer.ptr, sizeof(d));
		*out = (struct whole_model){ .inputs = d.inputs, .ports = d.ports };
		memcpy(out->engine, d.engine, sizeof(d.engine));
		memcpy(out->emulated, d.emulated, sizeof(d.emulated));
		out->port = mem_zero(d.ports + 1, sizeof(*out->port));
		memcpy(out->port, answer.ptr + sizeof(d), d.ports * sizeof(*out->port));
	}
	buf_free(&answer);
	return status;
}

void whole_model_free(struct whole_model *m)
{
	free(m->port);
}

bool whole_model_reads(const char *formats, const char *path)
{
	const char *dot = strrchr(path, '.');

	for (const char *p = formats; dot && *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");

		if (strlen(dot + 1) == len && strncasecmp(p, dot + 1, len) == 0)
			return true;
		p += len;
	}
	return false;
}
