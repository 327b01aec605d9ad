/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tokens_loop ENGINE PROMPT.onnx STEP.onnx TOKENS THREADS SECONDS: generates tokens in a
 * loop of its own over the C interface of onnxruntime or openvino, and stamps each of them.
 * The models are those of bench-list --export. Prints a table in the format of
 * bench-csv(5).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/engine/onnxruntime_api.h"
#include "backends/engine/onnxruntime_type.h"
#include "backends/engine/openvino_api.h"
#include "backends/engine/openvino_types.h"

enum { PORTS = 128, DIMS = 8, TOKENS = 1024, PASSES = 4, WARMUPS = 3, LEAST = 3 };

/* The elements of an input or output, which several passes may share. */
struct tensor {
	void *handle; /* of the engine */
	void *data;
};

/* An input or output. */
struct port {
	char *name;
	const char *type; /* as NumPy names it */
	int number;       /* of its type, in the engine */
	int64_t size[DIMS];
	size_t dims, count;
	uint32_t bytes; /* of an element */
};

/* A loaded model. Its inputs are [0], its outputs [1]. */
struct net {
	void *handle;
	struct port port[2][PORTS];
	size_t ports[2];
};

/* A model with the tensors that it reads and writes. */
struct pass {
	const struct net *net;
	struct tensor tensor[2][PORTS];
	void *request; /* of OpenVINO */
};

/* The functions of an engine. */
struct engine {
	const char *name;
	void (*start)(void);
	void (*load)(struct net *n, const char *path, const char *threads);
	void (*create)(struct tensor *t, const struct port *p);
	void (*bind)(struct pass *p);
	void (*run)(struct pass *p);
};

static char why[BACKEND_WHY + 1];

static _Noreturn void fail(const char *message)
{
	fprintf(stderr, "tokens_loop: %s\n", message);
	exit(1);
}

/* Completes a port whose type and sizes are known. */
static void finish_port(struct port *p)
{
	if (!p->type || p->bytes == 0)
		fail("an input or output has a type that is not known");
	p->count = 1;
	for (size_t i = 0; i < p->dims; i++)
		p->count *= (size_t)p->size[i];
}

static const struct ort *ort;

static void ort_need(struct ort_status *status)
{
	if (ort_check(ort, status, "", why))
		fail(why);
}

static void ort_start(void)
{
	ort = ort_load(why);
	if (!ort)
		fail(why);
}

static void ort_read(struct ort_session *session, struct port *p, int output, size_t i)
{
	const struct ort_tensor_info *tensor;
	struct ort_allocator *allocator;
	struct ort_type_info *type;

	ort_need(ort->api.allocator(&allocator));
	ort_need((output ? ort->api.output_type : ort->api.input_type)(session, i, &type));
	ort_need((output ? ort->api.output_name : ort->api.input_name)(
	    session, i, allocator, &p->name));
	ort_need(ort->api.type_tensor(type, &tensor));
	ort_need(ort->api.tensor_element(tensor, &p->number));
	ort_need(ort->api.tensor_dims(tensor, &p->dims));
	ort_need(ort->api.tensor_sizes(tensor, p->size, p->dims));
	p->type = ort_type_name(p->number, &p->bytes);
	finish_port(p);
}

static void ort_open(struct net *n, const char *path, const char *threads)
{
	struct ort_options *options;
	struct ort_session *session;

	ort_need(ort->api.options_new(&options));
	ort_need(ort->api.set_threads(options, atoi(threads)));
	ort_need(ort->api.session_new(ort->env, path, options, &session));
	ort_need(ort->api.inputs(session, &n->ports[0]));
	ort_need(ort->api.outputs(session, &n->ports[1]));
	for (int output = 0; output < 2; output++)
		for (size_t i = 0; i < n->ports[output] && i < PORTS; i++)
			ort_read(session, &n->port[output][i], output, i);
	n->handle = session;
}

static void ort_create(struct tensor *t, const struct port *p)
{
	const size_t bytes = p->count * p->bytes;
	struct ort_memory_info *memory;
	struct ort_value *value;

	ort_need(ort->api.cpu_memory(ORT_ALLOCATOR_ARENA, ORT_MEMORY_DEFAULT, &memory));
	t->data = aligned_alloc(64, (bytes + 64) / 64 * 64);
	if (!t->data)
		fail("out of memory");
	ort_need(ort->api.value_new(
	    memory, t->data, bytes, p->size, p->dims, p->number, &value));
	t->handle = value;
}

static void ort_bind(struct pass *p)
{
	(void)p;
}

static void ort_run(struct pass *p)
{
	const char *name[2][PORTS];
	struct ort_value *value[2][PORTS];

	for (int output = 0; output < 2; output++)
		for (size_t i = 0; i < p->net->ports[output]; i++) {
			name[output][i] = p->net->port[output][i].name;
			value[output][i] = p->tensor[output][i].handle;
		}
	ort_need(ort->api.run(p->net->handle, NULL, name[0],
	    (const struct ort_value *const *)value[0], p->net->ports[0], name[1],
	    p->net->ports[1], value[1]));
}

static const struct openvino *ov;
static struct ov_core *core;
static struct openvino_types types;

static void vino_need(int status)
{
	if (status) {
		openvino_fail(ov, status, why, "OpenVINO fails");
		fail(why);
	}
}

static void vino_start(void)
{
	ov = openvino_load(why);
	if (!ov)
		fail(why);
	vino_need(ov->api.core_create(&core));
	if (openvino_types_find(ov, core, &types, why))
		fail(why);
}

static void vino_read(const struct ov_model *model, struct port *p, int output, size_t i)
{
	struct openvino_open_shape shape;
	struct ov_output_const_port *port;
	const struct openvino_type *type;

	vino_need((output ? ov->api.model_const_output_by_index
	                  : ov->api.model_const_input_by_index)(model, i, &port));
	vino_need(ov->api.port_get_any_name(port, &p->name));
	vino_need(ov->api.port_get_element_type(port, &p->number));
	vino_need(ov->api.port_get_partial_shape(port, &shape));
	p->dims = (size_t)shape.rank.most;
	for (size_t d = 0; d < p->dims && d < DIMS; d++)
		p->size[d] = shape.size[d].least;
	type = openvino_type_of(&types, p->number);
	p->type = type ? type->name : NULL;
	p->bytes = type ? type->bytes : 0;
	finish_port(p);
}

static void vino_open(struct net *n, const char *path, const char *threads)
{
	struct ov_compiled_model *compiled;
	struct ov_model *model;

	vino_need(ov->api.core_read_model(core, path, NULL, &model));
	vino_need(ov->api.model_inputs_size(model, &n->ports[0]));
	vino_need(ov->api.model_outputs_size(model, &n->ports[1]));
	for (int output = 0; output < 2; output++)
		for (size_t i = 0; i < n->ports[output] && i < PORTS; i++)
			vino_read(model, &n->port[output][i], output, i);
	vino_need(ov->api.core_compile_model(core, model, "CPU", 6, &compiled,
	    "INFERENCE_NUM_THREADS", threads, "NUM_STREAMS", "1",
	    "INFERENCE_PRECISION_HINT", "f32"));
	n->handle = compiled;
}

static void vino_create(struct tensor *t, const struct port *p)
{
	int64_t size[DIMS];
	struct ov_tensor *tensor;

	memcpy(size, p->size, sizeof(size));
	vino_need(ov->api.tensor_create(
	    p->number, (struct openvino_shape){ (int64_t)p->dims, size }, &tensor));
	vino_need(ov->api.tensor_data(tensor, &t->data));
	t->handle = tensor;
}

static void vino_bind(struct pass *p)
{
	struct ov_infer_request *request;

	vino_need(ov->api.compiled_model_create_infer_request(p->net->handle, &request));
	for (size_t i = 0; i < p->net->ports[0]; i++)
		vino_need(ov->api.infer_request_set_input_tensor_by_index(
		    request, i, p->tensor[0][i].handle));
	for (size_t i = 0; i < p->net->ports[1]; i++)
		vino_need(ov->api.infer_request_set_output_tensor_by_index(
		    request, i, p->tensor[1][i].handle));
	p->request = request;
}

static void vino_run(struct pass *p)
{
	vino_need(ov->api.infer_request_infer(p->request));
}

static const struct engine engines[] = {
	{ "onnxruntime", ort_start, ort_open, ort_create, ort_bind, ort_run },
	{ "openvino", vino_start, vino_open, vino_create, vino_bind, vino_run },
};
static const struct engine *engine;

/* Creates a tensor with small numbers: a lookup must not be beyond its table. */
static struct tensor filled(const struct port *p)
{
	struct tensor t;

	engine->create(&t, p);
	memset(t.data, 0, p->count * p->bytes);
	for (size_t i = 0; i < p->count; i++)
		if (strcmp(p->type, "float32") == 0)
			((float *)t.data)[i] = (float)(i * 37 % 101) / 50 - 1;
		else if (strcmp(p->type, "int32") == 0)
			((int32_t *)t.data)[i] = (int32_t)(i % 50);
		else if (strcmp(p->type, "int64") == 0)
			((int64_t *)t.data)[i] = (int64_t)(i % 50);
	return t;
}

/* Gives a pass tensors of its own, but as input NAME the output NAME.after of another. */
static void fill_pass(struct pass *p, const struct pass *from)
{
	const struct net *n = p->net;

	for (int output = 0; output < 2; output++)
		for (size_t i = 0; i < n->ports[output]; i++)
			p->tensor[output][i] = filled(&n->port[output][i]);
	for (size_t i = 0; from && i < n->ports[0]; i++)
		for (size_t k = 0; k < from->net->ports[1]; k++) {
			const char *name = n->port[0][i].name,
			           *after = from->net->port[1][k].name;
			const size_t length = strlen(name);

			if (strncmp(after, name, length) == 0 &&
			    strcmp(after + length, ".after") == 0)
				p->tensor[0][i] = from->tensor[1][k];
		}
}

/* Makes a pass read the outputs of another, and share its other inputs. */
static void chain_pass(struct pass *p, const struct pass *from)
{
	struct tensor own[PORTS];

	fill_pass(p, from);
	memcpy(own, p->tensor[0], sizeof(own));
	memcpy(p->tensor[0], from->tensor[0], sizeof(own));
	for (size_t i = 0; i < p->net->ports[0]; i++)
		for (size_t k = 0; k < p->net->ports[1]; k++)
			if (own[i].handle == from->tensor[1][k].handle)
				p->tensor[0][i] = own[i];
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Returns the number of the input of the step for the number of earlier tokens, or that of
 * all inputs. */
static size_t find_past(const struct net *n)
{
	size_t i = 0;

	while (i < n->ports[0] && strcmp(n->port[0][i].name, "past") != 0)
		i++;
	return i;
}

/* Returns the number of the output with the new token. */
static size_t find_token(const struct net *n)
{
	for (size_t i = 0; i < n->ports[1]; i++)
		if (strcmp(n->port[1][i].type, "int32") == 0)
			return i;
	fail("no output has the new token");
}

/* Returns how many tokens the states have room for. */
static int64_t capacity_of(const struct net *n)
{
	for (size_t i = 0; i < n->ports[0]; i++)
		if (strstr(n->port[0][i].name, "keys"))
			return n->port[0][i].size[1];
	fail("no input has the keys of earlier tokens");
}

/* Generates tokens once, and stamps the beginning and each token. Returns the last one. */
static int32_t generate(struct pass *pass, long tokens, int64_t *stamp)
{
	const struct net *step = pass[1].net;
	const size_t past = find_past(step), first = find_token(pass[0].net),
	             later = find_token(step);
	const int64_t before = capacity_of(step) - tokens;
	int32_t token = 0;

	stamp[0] = now_ns();
	for (long k = 0; k < tokens; k++) {
		struct pass *p = &pass[k < 2 ? k : 2 + k % 2];

		if (k > 0 && past < step->ports[0])
			*(int64_t *)p->tensor[0][past].data = before + k - 1;
		engine->run(p);
		token = *(const int32_t *)p->tensor[1][k ? later : first].data;
		stamp[k + 1] = now_ns();
	}
	return token;
}

int main(int argc, char **argv)
{
	static struct net prompt, step;
	static struct pass pass[PASSES];
	static int64_t stamp[TOKENS + 1];
	const long tokens = argc == 7 ? atol(argv[4]) : 0;
	int32_t token = 0;

	for (size_t i = 0; argc == 7 && i < sizeof(engines) / sizeof(*engines); i++)
		if (strcmp(engines[i].name, argv[1]) == 0)
			engine = &engines[i];
	if (!engine || tokens < 2 || tokens > TOKENS)
		fail("usage: tokens_loop ENGINE PROMPT STEP TOKENS THREADS SECONDS");
	for (size_t i = 0; i < PASSES; i++)
		pass[i].net = i ? &step : &prompt;
	engine->start();
	engine->load(&prompt, argv[2], argv[5]);
	engine->load(&step, argv[3], argv[5]);
	fill_pass(&pass[0], NULL);
	fill_pass(&pass[1], &pass[0]);
	chain_pass(&pass[2], &pass[1]);
	chain_pass(&pass[3], &pass[2]);
	/* The third step writes where the first has written, and the second reads it. */
	memcpy(pass[3].tensor[1], pass[1].tensor[1], sizeof(pass[1].tensor[1]));
	for (size_t i = 0; i < PASSES; i++)
		engine->bind(&pass[i]);
	printf("metric,unit,value\n");

	const int64_t end = now_ns() + (int64_t)(atof(argv[6]) * 1e9);

	for (long i = 0; i < WARMUPS + LEAST || now_ns() < end; i++) {
		token ^= generate(pass, tokens, stamp);
		for (long k = 0; i >= WARMUPS && k < tokens; k++)
			printf("%s,ns,%lld\n", k ? "inter_token" : "first_token",
			    (long long)(stamp[k + 1] - stamp[k]));
	}
	fprintf(stderr, "%d\n", (int)token);
	return 0;
}
