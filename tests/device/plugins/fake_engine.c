/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An engine for tests. Its models are text files with the extension "fake":
 *
 *	fake model
 *	input NAME TYPE [SIZE|SYMBOL|?]...
 *	output NAME TYPE [SIZE|SYMBOL|?]...
 *	busy NS                  the time of a run
 *	op NODE TYPE NS [START]  an operation; its start in ns since that of the run
 *	fallback N               the number of operations of another device
 *	emulated TEXT
 *	threads N                the number of threads that it reports
 *
 * Each output has the bytes of the first input of its type. The options are "level", from 0
 * to 3, "cache", "echo", the name of a file that gets the sizes, types and first elements of
 * the inputs in the first run, and "runs", the name of a file that gets a line with the first
 * byte of each input in each run.
 */
#include <inttypes.h>
#include <time.h>

#include "whole.h"

enum { PORTS_MAX = 8, OPS_MAX = 8, TEXT_MAX = 64 };

struct backend_session {
	uint32_t threads;
};

/* An operation. */
struct fake_op {
	char node[TEXT_MAX], type[TEXT_MAX];
	double ns, start_ns; /* start_ns < 0: unknown */
};

struct backend_model {
	struct backend_port port[PORTS_MAX], shape[PORTS_MAX];
	size_t ports, inputs;
	char *elements[PORTS_MAX];
	size_t bytes[PORTS_MAX];
	struct fake_op op[OPS_MAX];
	size_t ops;
	double busy_ns;
	char fallback[TEXT_MAX], emulated[TEXT_MAX], used_threads[TEXT_MAX], echo[256],
	    runs[256];
	uint32_t threads;
	bool echoed, cache;
};

static const struct {
	const char *name;
	uint32_t bytes;
} types[] = {
	{ "float32", 4 },
	{ "float16", 2 },
	{ "int64", 8 },
	{ "int32", 4 },
	{ "uint8", 1 },
	{ "bool", 1 },
	{ "float8e5m2", 1 },
	{ "string", 0 },
};

static int probe_devices(struct backend_device *list, size_t max, char *why)
{
	(void)max;
	(void)why;
	list[0] = (struct backend_device){ .name = "fake device",
		.type = "accelerator",
		.version = "1.2.3",
		.units = 4,
		.threads = true,
		.dtypes = 1u << BACKEND_FLOAT32 };
	return 1;
}

static struct backend_session *session_open(const struct backend_config *config, char *why)
{
	struct backend_session *s = calloc(1, sizeof(*s));

	(void)why;
	if (s)
		s->threads = config->threads;
	return s;
}

static void session_close(struct backend_session *s)
{
	free(s);
}

static void model_unload(struct backend_model *m)
{
	for (size_t i = 0; i < PORTS_MAX; i++)
		free(m->elements[i]);
	free(m);
}

/* Returns the value of a dimension, or -1. */
static int64_t given_size(const struct backend_model_source *from, const char *symbol)
{
	for (size_t i = 0; i < from->dimensions; i++)
		if (strcmp(from->dimension[i].name, symbol) == 0)
			return strtoll(from->dimension[i].value, NULL, 10);
	return -1;
}

/* Reads "NAME TYPE SIZE...". Returns whether it is valid. */
static bool read_port(struct backend_model *m, const struct backend_model_source *from,
    char *words, bool output)
{
	struct backend_port *p = &m->port[m->ports];
	char *rest, *name = strtok_r(words, " \n", &rest),
	            *type = strtok_r(NULL, " \n", &rest);

	if (!name || !type || m->ports == PORTS_MAX)
		return false;
	p->output = output;
	snprintf(p->name, sizeof(p->name), "%s", name);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, type) == 0) {
			snprintf(p->type, sizeof(p->type), "%s", type);
			p->element_bytes = types[i].bytes;
		}
	for (char *w; (w = strtok_r(NULL, " \n", &rest));) {
		const uint32_t d = p->dims++;

		p->size[d] = *w >= '0' && *w <= '9' ? strtoll(w, NULL, 10) : -1;
		if (p->size[d] < 0 && *w != '?') {
			snprintf(p->symbol[d], sizeof(p->symbol[d]), "%s", w);
			p->size[d] = given_size(from, w);
		}
	}
	m->shape[m->ports++] = *p;
	m->inputs += !output;
	return *p->type;
}

static bool read_line(
    struct backend_model *m, const struct backend_model_source *from, char *line)
{
	struct fake_op *op = &m->op[m->ops];

	if (strncmp(line, "input ", 6) == 0)
		return read_port(m, from, line + 6, false);
	if (strncmp(line, "output ", 7) == 0)
		return read_port(m, from, line + 7, true);
	if (m->ops < OPS_MAX)
		op->start_ns = -1;
	if (m->ops < OPS_MAX && sscanf(line, "op %63s %63s %lf %lf", op->node, op->type,
	                            &op->ns, &op->start_ns) >= 3) {
		m->ops++;
		return true;
	}
	return sscanf(line, "busy %lf", &m->busy_ns) == 1 ||
	       sscanf(line, "fallback %63s", m->fallback) == 1 ||
	       sscanf(line, "emulated %63[^\n]", m->emulated) == 1 ||
	       sscanf(line, "threads %63[^\n]", m->used_threads) == 1;
}

static bool read_model(
    struct backend_model *m, const struct backend_model_source *from, char *why)
{
	FILE *file = from->path ? fopen(from->path, "r") : NULL;
	char line[512];
	bool good;

	if (!file) {
		snprintf(
		    why, BACKEND_WHY, "%s", from->path ? "cannot open it" : "it is ONNX");
		return false;
	}
	good = fgets(line, sizeof(line), file) && strcmp(line, "fake model\n") == 0;
	while (good && fgets(line, sizeof(line), file))
		good = read_line(m, from, line);
	fclose(file);
	if (!good)
		snprintf(why, BACKEND_WHY, "not a fake model: '%.*s'",
		    (int)strcspn(line, "\n"), line);
	return good;
}

static bool has_symbol(const struct backend_model *m, const char *name)
{
	for (size_t i = 0; i < m->ports; i++)
		for (uint32_t d = 0; d < m->port[i].dims; d++)
			if (strcmp(m->port[i].symbol[d], name) == 0)
				return true;
	return false;
}

static bool take_options(
    struct backend_model *m, const struct backend_model_source *from, char *why)
{
	for (size_t i = 0; i < from->options; i++) {
		const struct backend_option *o = &from->option[i];

		if (strcmp(o->name, "echo") == 0)
			snprintf(m->echo, sizeof(m->echo), "%s", o->value);
		else if (strcmp(o->name, "runs") == 0)
			snprintf(m->runs, sizeof(m->runs), "%s", o->value);
		else if (strcmp(o->name, "cache") == 0)
			m->cache = true;
		else if (strcmp(o->name, "level") != 0) {
			snprintf(why, BACKEND_WHY,
			    "unknown option '%s' (there are: cache, echo, level, runs)", o->name);
			return false;
		} else if (strspn(o->value, "0123") != 1 || o->value[1]) {
			snprintf(
			    why, BACKEND_WHY, "option level: '%s' is not 0 to 3", o->value);
			return false;
		}
	}
	for (size_t i = 0; i < from->dimensions; i++)
		if (!has_symbol(m, from->dimension[i].name)) {
			snprintf(why, BACKEND_WHY, "unknown dimension '%s'",
			    from->dimension[i].name);
			return false;
		}
	return true;
}

static struct backend_model *model_load(
    struct backend_session *s, const struct backend_model_source *from, char *why)
{
	struct backend_model *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->threads = s->threads;
	if (!read_model(m, from, why) || !take_options(m, from, why)) {
		model_unload(m);
		return NULL;
	}
	return m;
}

static int model_ports(
    struct backend_model *m, struct backend_port *list, size_t max, char *why)
{
	(void)why;
	for (size_t i = 0; i < m->ports && i < max; i++)
		list[i] = m->port[i];
	return (int)m->ports;
}

static int model_set(struct backend_model *m, size_t port, const int64_t *size,
    uint32_t dims, const void *elements, size_t bytes, char *why)
{
	size_t wanted = m->port[port].element_bytes;

	for (uint32_t i = 0; i < dims; i++) {
		wanted *= (size_t)size[i];
		m->shape[port].size[i] = size[i];
	}
	if (bytes != wanted) {
		snprintf(why, BACKEND_WHY, "%zu bytes instead of %zu", bytes, wanted);
		return -1;
	}
	free(m->elements[port]);
	m->elements[port] = malloc(bytes + 1);
	if (!m->elements[port]) {
		snprintf(why, BACKEND_WHY, "no memory");
		return -1;
	}
	memcpy(m->elements[port], elements, bytes);
	m->bytes[port] = bytes;
	return 0;
}

static int model_carry(struct backend_model *m, size_t output, size_t input, char *why)
{
	(void)m;
	(void)output;
	(void)input;
	snprintf(why, BACKEND_WHY, "fake models have no states");
	return -1;
}

static int model_adopt(struct backend_model *m, size_t input, struct backend_model *from,
    size_t output, char *why)
{
	(void)from;
	return model_carry(m, output, input, why);
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Writes the inputs to the file of the option echo. */
static void echo_inputs(struct backend_model *m)
{
	FILE *file = fopen(m->echo, "w");

	for (size_t i = 0; file && i < m->inputs; i++) {
		const struct backend_port *p = &m->shape[i];

		fprintf(file, "%s %s", p->name, p->type);
		for (uint32_t d = 0; d < p->dims; d++)
			fprintf(file, "%c%" PRId64, d ? 'x' : ' ', p->size[d]);
		for (size_t k = 0; k < 64 && k < m->bytes[i]; k++)
			fprintf(file, "%c%02x", k ? '.' : ' ',
			    (unsigned char)m->elements[i][k]);
		fprintf(file, "\n");
	}
	if (file)
		fprintf(file, "threads %u\n", (unsigned)m->threads);
	if (file)
		fclose(file);
	m->echoed = true;
}

/* Appends a line to the file of the option runs. */
static void note_run(const struct backend_model *m)
{
	FILE *file = fopen(m->runs, "a");

	for (size_t i = 0; file && i < m->inputs; i++)
		fprintf(file, "%s%02x", i ? " " : "", (unsigned char)m->elements[i][0]);
	if (file) {
		fprintf(file, "\n");
		fclose(file);
	}
}

static int model_run(struct backend_model *m, char *why)
{
	const double end_ns = now_ns() + m->busy_ns;

	for (size_t i = 0; i < m->inputs; i++)
		if (!m->elements[i]) {
			snprintf(
			    why, BACKEND_WHY, "input '%s' is not set", m->port[i].name);
			return -1;
		}
	if (*m->echo && !m->echoed)
		echo_inputs(m);
	if (*m->runs)
		note_run(m);
	while (now_ns() < end_ns)
		;
	return 0;
}

static int model_get(struct backend_model *m, size_t port, struct backend_port *shape,
    const void **elements, size_t *bytes, char *why)
{
	for (size_t i = 0; i < m->inputs; i++)
		if (strcmp(m->port[i].type, m->port[port].type) == 0) {
			*shape = m->shape[i];
			*elements = m->elements[i];
			*bytes = m->bytes[i];
			return 0;
		}
	snprintf(
	    why, BACKEND_WHY, "no input has the type of output '%s'", m->port[port].name);
	return -1;
}

static void model_facts(struct backend_model *m, backend_report_fact *report, void *context)
{
	report(context, "engine", "fake 1.2.3");
	report(context, "cache", m->cache ? "hit" : "off");
	if (*m->fallback)
		report(context, "fallback_ops", m->fallback);
	if (*m->used_threads)
		report(context, "threads", m->used_threads);
	if (*m->emulated)
		report(context, "emulated", m->emulated);
}

static int model_time_ops(
    struct backend_model *m, const struct backend_op_report *to, char *why)
{
	const int64_t start_ns = (int64_t)now_ns();

	(void)why;
	for (size_t i = 0; i < m->ops; i++)
		to->mean(to->context, m->op[i].node, m->op[i].type, m->op[i].ns);
	for (size_t i = 0; i < m->ops; i++)
		if (m->op[i].start_ns >= 0)
			to->span(to->context,
			    &(struct backend_op_span){ .op = i,
			        .start_ns = start_ns + (int64_t)m->op[i].start_ns,
			        .ns = m->op[i].ns,
			        .thread = (uint32_t)i });
	return m->ops ? 0 : 1;
}

static uint64_t session_memory(struct backend_session *s)
{
	(void)s;
	return 123456;
}

static const struct backend_engine engine = {
	.formats = "onnx fake",
	.load = model_load,
	.unload = model_unload,
	.ports = model_ports,
	.set = model_set,
	.carry = model_carry,
	.adopt = model_adopt,
	.run = model_run,
	.get = model_get,
	.facts = model_facts,
	.time_ops = model_time_ops,
};

__attribute__((visibility("default"))) const struct backend bench_backend = {
	.abi = BACKEND_ABI,
	.name = "fake_engine",
	.summary = "for tests",
	.probe = probe_devices,
	.open = session_open,
	.close = session_close,
	.memory = session_memory,
	.engine = &engine,
};
