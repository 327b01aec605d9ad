/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An engine whose devices differ in speed. It counts loaded models in the file FAKE_LOADS.
 */
#include <time.h>

#include "whole.h"

static const struct timed_device {
	const char *word;
	long run_us;    /* -1 if it runs nothing */
	const char *by; /* what emulates it */
} devices[] = { { "slow", 4000, NULL }, { "fast", 500, NULL }, { "refusing", -1, NULL },
	{ "emulated", 10, "a test" } };

struct backend_session {
	const struct timed_device *device;
};

struct backend_model {
	const struct timed_device *device;
};

static int list_devices(struct backend_device *list, size_t max, char *why)
{
	int count = 0;

	(void)why;
	for (; count < 4 && (size_t)count < max; count++) {
		list[count] = (struct backend_device){ .type = "accelerator" };
		snprintf(list[count].name, sizeof(list[count].name), "%s device",
		    devices[count].word);
		snprintf(
		    list[count].word, sizeof(list[count].word), "%s", devices[count].word);
	}
	return count;
}

static struct backend_session *open_device(const struct backend_config *config, char *why)
{
	struct backend_session *s = calloc(1, sizeof(*s));

	(void)why;
	s->device = &devices[config->device];
	return s;
}

static void close_device(struct backend_session *s)
{
	free(s);
}

static struct backend_model *load_model(
    struct backend_session *s, const struct backend_model_source *from, char *why)
{
	const char *loads = getenv("FAKE_LOADS");
	FILE *log = loads ? fopen(loads, "a") : NULL;
	struct backend_model *m;

	(void)from;
	if (log) {
		fprintf(log, "%s\n", s->device->word);
		fclose(log);
	}
	if (s->device->run_us < 0) {
		snprintf(why, BACKEND_WHY, "it refuses");
		return NULL;
	}
	m = calloc(1, sizeof(*m));
	m->device = s->device;
	return m;
}

static void unload_model(struct backend_model *m)
{
	free(m);
}

static int list_ports(
    struct backend_model *m, struct backend_port *list, size_t max, char *why)
{
	(void)m;
	(void)why;
	if (max)
		list[0] = (struct backend_port){ .name = "x",
			.type = "float32",
			.element_bytes = 4,
			.dims = 1,
			.size = { -1 },
			.symbol = { "batch" } };
	return 1;
}

static int set_port(struct backend_model *m, size_t port, const int64_t *size,
    uint32_t dims, const void *elements, size_t bytes, char *why)
{
	(void)m;
	(void)port;
	(void)size;
	(void)dims;
	(void)elements;
	(void)bytes;
	(void)why;
	return 0;
}

static int run_model(struct backend_model *m, char *why)
{
	(void)why;
	nanosleep(&(struct timespec){ .tv_nsec = m->device->run_us * 1000 }, NULL);
	return 0;
}

static void report_facts(
    struct backend_model *m, backend_report_fact *report, void *context)
{
	if (m->device->by)
		report(context, "emulated", m->device->by);
}

static const struct backend_engine engine = {
	.formats = "timed fake",
	.load = load_model,
	.unload = unload_model,
	.ports = list_ports,
	.set = set_port,
	.run = run_model,
	.facts = report_facts,
};

__attribute__((visibility("default"))) const struct backend bench_backend = {
	.abi = BACKEND_ABI,
	.name = "timed",
	.summary = "for tests",
	.probe = list_devices,
	.open = open_device,
	.close = close_device,
	.engine = &engine,
};
