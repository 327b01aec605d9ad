/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * engine_run FILE DEVICE MODEL [OPTION...] STEP...: loads a model with the plug-in
 * backend-NAME.so in FILE on the device with a word, and does the steps in order.
 * A failure ends it with status 1 and the reason on standard error.
 *
 *	-tN  N threads       -oKEY=VALUE  an option      -dSYMBOL=SIZE  an open dimension
 *	-p   for ops         -b           load the bytes of the file
 *	ports                prints the inputs and outputs
 *	NAME=TEXT            sets an input to numbers separated by commas, or to COUNT
 *	                     numbers in a pattern: "x=#COUNT"; "x:2x3=..." has other sizes
 *	OUTPUT>INPUT         carries an output to an input
 *	OUTPUT>>INPUT        gives it to an input of the other copy of the model
 *	other                continues with the other copy of the model
 *	run                  runs the model
 *	run*N                runs it N times, and prints the mean time in us
 *	NAME                 prints an output
 *	facts                prints the facts
 *	ops                  prints the operations, and whether their times are > 0
 *	tasks                prints the number of threads of the process
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/backends.h"

enum { ITEMS = 16, PORTS = 16, ELEMENTS = 4096 };

static const struct backend_engine *engine;
static struct backend_model *model, *other; /* two copies of the same */
static struct backend_port port[PORTS];
static size_t ports;
static char why[BACKEND_WHY + 1];

static _Noreturn void fail(const char *reason)
{
	fflush(stdout);
	fprintf(stderr, "%s\n", reason);
	exit(1);
}

static void need(int result)
{
	if (result < 0)
		fail(why);
}

/* Returns the number of a port, or `ports` if there is none. */
static size_t look_for_port(const char *name, size_t length)
{
	for (size_t i = 0; i < ports; i++)
		if (strlen(port[i].name) == length &&
		    strncmp(port[i].name, name, length) == 0)
			return i;
	return ports;
}

static size_t find_port(const char *name, size_t length)
{
	const size_t i = look_for_port(name, length);

	if (i < ports)
		return i;
	fprintf(stderr, "no port %.*s\n", (int)length, name);
	exit(2);
}

/* Stores a number as an element. Returns the size of an element. */
static size_t store(const struct backend_port *p, void *at, double x)
{
	const float single = (float)x;
	const int64_t integer = (int64_t)x;

	if (strcmp(p->type, "float32") == 0)
		memcpy(at, &single, sizeof(single));
	else if (strcmp(p->type, "float64") == 0)
		memcpy(at, &x, sizeof(x));
	else
		memcpy(at, &integer, p->element_bytes); /* little-endian */
	return p->element_bytes;
}

static double element(const struct backend_port *p, const void *from, size_t i)
{
	const char *at = (const char *)from + i * p->element_bytes;
	int64_t integer = 0;
	float single;
	double x;

	if (strcmp(p->type, "float32") == 0) {
		memcpy(&single, at, sizeof(single));
		return (double)single;
	}
	if (strcmp(p->type, "float64") == 0) {
		memcpy(&x, at, sizeof(x));
		return x;
	}
	memcpy(&integer, at, p->element_bytes);
	if (p->element_bytes < 8 && *p->type == 'i' &&
	    integer >> (8 * p->element_bytes - 1))
		integer -= (int64_t)1 << 8 * p->element_bytes;
	return (double)integer;
}

static void set_input(char *step)
{
	static char bytes[ELEMENTS * 16];
	char *text = strchr(step, '=') + 1;
	/* Names of TensorFlow contain colons. */
	char *colon = look_for_port(step, (size_t)(text - 1 - step)) < ports
	                  ? NULL
	                  : memrchr(step, ':', (size_t)(text - step));
	const size_t i = find_port(step, (size_t)((colon ? colon : text - 1) - step));
	int64_t size[BACKEND_PORT_DIMS];
	uint32_t dims = port[i].dims;
	size_t count = 0, at = 0;

	memcpy(size, port[i].size, sizeof(size));
	if (colon) {
		dims = 0;
		for (char *p = colon; *p != '=' && dims < BACKEND_PORT_DIMS;)
			size[dims++] = strtoll(p + 1, &p, 10);
	}
	if (*text == '#')
		for (count = strtoull(text + 1, NULL, 10);
		     at / port[i].element_bytes < count;)
			at += store(&port[i], bytes + at,
			    (double)(at / port[i].element_bytes * 37 % 101) / 50 - 1);
	else
		for (char *p = text; *p; p += *p == ',')
			at += store(&port[i], bytes + at, strtod(p, &p));
	need(engine->set(model, i, size, dims, bytes, at, why));
}

static void print_port(const struct backend_port *p)
{
	printf("%s %s %s", p->output ? "output" : "input", p->name, p->type);
	for (uint32_t d = 0; d < p->dims; d++)
		if (p->size[d] < 0)
			printf(" %s", *p->symbol[d] ? p->symbol[d] : "?");
		else
			printf(" %lld", (long long)p->size[d]);
	putchar('\n');
}

static void print_output(const char *name)
{
	const size_t i = find_port(name, strlen(name));
	struct backend_port shape;
	const void *elements;
	size_t bytes;

	need(engine->get(model, i, &shape, &elements, &bytes, why));
	printf("%s", name);
	for (uint32_t d = 0; d < shape.dims; d++)
		printf("%s%lld", d ? "x" : ":", (long long)shape.size[d]);
	for (size_t e = 0; e < bytes / shape.element_bytes; e++)
		printf("%s%.6g", e ? "," : "=", element(&shape, elements, e));
	putchar('\n');
}

static void print_fact(void *context, const char *name, const char *value)
{
	(void)context;
	printf("%s=%s\n", name, value);
}

static void print_op(void *context, const char *node, const char *operator_type, double ns)
{
	(void)context;
	printf("%s %s %s\n", node, operator_type, ns > 0 && ns < 1e9 ? "timed" : "0");
}

static void run_model(const char *step)
{
	const long count = step[3] == '*' ? strtol(step + 4, NULL, 10) : 1;
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	for (long i = 0; i < count; i++)
		need(engine->run(model, why));
	clock_gettime(CLOCK_MONOTONIC, &b);
	if (count > 1)
		printf("%.3f us\n", ((double)(b.tv_sec - a.tv_sec) * 1e9 +
		                        (double)(b.tv_nsec - a.tv_nsec)) /
		                        (double)count / 1e3);
}

static void print_tasks(void)
{
	DIR *d = opendir("/proc/self/task");
	int count = 0;

	for (struct dirent *entry; d && (entry = readdir(d));)
		count += *entry->d_name != '.';
	if (d)
		closedir(d);
	printf("tasks=%d\n", count);
}

static void print_span(void *context, const struct backend_op_span *span)
{
	(void)context;
	(void)span;
}

static void take_other(void)
{
	struct backend_model *taken = other;

	other = model;
	model = taken;
}

static void do_step(char *step)
{
	char *arrow = strchr(step, '>');
	const size_t from = arrow ? find_port(step, (size_t)(arrow - step)) : 0;

	if (strcmp(step, "ports") == 0)
		for (size_t i = 0; i < ports; i++)
			print_port(&port[i]);
	else if (strcmp(step, "facts") == 0)
		engine->facts(model, print_fact, NULL);
	else if (strcmp(step, "tasks") == 0)
		print_tasks();
	else if (strcmp(step, "ops") == 0)
		need(engine->time_ops(
		    model, &(struct backend_op_report){ NULL, print_op, print_span }, why));
	else if (strcmp(step, "run") == 0 || strncmp(step, "run*", 4) == 0)
		run_model(step);
	else if (strcmp(step, "other") == 0)
		take_other();
	else if (arrow && arrow[1] == '>')
		need(engine->adopt(
		    other, find_port(arrow + 2, strlen(arrow + 2)), model, from, why));
	else if (arrow)
		need(engine->carry(
		    model, from, find_port(arrow + 1, strlen(arrow + 1)), why));
	else if (strchr(step, '='))
		set_input(step);
	else
		print_output(step);
}

/* Returns the number of the device with a word. */
static uint32_t find_device(const struct backend *b, const char *word)
{
	static struct backend_device list[64];
	const int count = b->probe(list, COUNT(list), why);

	if (count <= 0)
		fail(why);
	for (int i = 0; i < count; i++)
		if (strcmp(list[i].word, word) == 0)
			return (uint32_t)i;
	fail("no such device");
}

/* Reads a file whose bytes are the model. */
static void read_bytes(struct backend_model_source *source)
{
	FILE *f = fopen(source->path, "r");
	void *bytes = mem_zero(1, 1 << 20);

	if (!f)
		fail("no such file");
	source->size = fread(bytes, 1, 1 << 20, f);
	source->bytes = bytes;
	source->path = NULL;
	fclose(f);
}

int main(int argc, char **argv)
{
	struct backend_option option[2][ITEMS];
	struct backend_model_source source = { .option = option[0],
		.dimension = option[1] };
	struct backend_config config = { .abi = BACKEND_ABI };
	struct backend_file file = { NULL, argc > 3 ? argv[1] : "" };
	struct backend_session *session;
	const struct backend *b;
	struct fault f;
	int i = 4, count;

	file.name = strstr(file.path, "backend-");
	if (argc < 4 || !file.name)
		fail("usage: engine_run FILE DEVICE MODEL [OPTION...] STEP...");
	file.name = str_copy(file.name + 8);
	*strrchr(file.name, '.') = '\0';
	b = backend_load(&file, &f);
	if (!b)
		fail(f.text);
	source.path = argv[3];
	for (; i < argc && argv[i][0] == '-'; i++) {
		char *text = argv[i] + 2, *equals = strchr(text, '=');

		if (argv[i][1] == 't')
			config.threads = (uint32_t)strtoul(text, NULL, 10);
		else if (argv[i][1] == 'p')
			source.profile = true;
		else if (argv[i][1] == 'b')
			read_bytes(&source);
		else if (equals) {
			const bool is_option = argv[i][1] == 'o';
			size_t *n = is_option ? &source.options : &source.dimensions;

			*equals = '\0';
			option[!is_option][(*n)++ % ITEMS] =
			    (struct backend_option){ text, equals + 1 };
		}
	}
	engine = b->engine;
	config.device = find_device(b, argv[2]);
	session = b->open(&config, why);
	if (!session)
		fail(why);
	model = engine->load(session, &source, why);
	if (!model)
		fail(why);
	need(count = engine->ports(model, port, PORTS, why));
	ports = (size_t)count;
	for (int k = i; k < argc && !other; k++)
		if (strcmp(argv[k], "other") == 0 || strstr(argv[k], ">>"))
			other = engine->load(session, &source, why);
	for (; i < argc; i++)
		do_step(argv[i]);
	engine->unload(model);
	if (other)
		engine->unload(other);
	b->close(session);
	free((void *)source.bytes);
	free(file.name);
	return 0;
}
