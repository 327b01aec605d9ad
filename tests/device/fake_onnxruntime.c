/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fakes ONNX Runtime: a library of the version $FAKE_ORT_VERSION, or 1.17.0, with the
 * providers of the processor and of CUDA. Each model is y = 2 x of one float32. The
 * function that $FAKE_ORT_FAILS names fails with a message of two lines. A status is its
 * message.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 284, FLOAT = 1, TENSOR = 1 };

typedef const char *status;

/* A value: the elements of a tensor, which the caller owns. */
struct fake_value {
	float *data;
};

static int object; /* the address of all objects without contents */

static status fails(const char *function)
{
	const char *name = getenv("FAKE_ORT_FAILS");

	return name && strcmp(name, function) == 0 ? "it was\nto fail" : NULL;
}

static status make(void **out)
{
	*out = &object;
	return NULL;
}

static const char *message(status s)
{
	return s;
}
static void discard(const void *any)
{
	(void)any;
}
static status accept_any(void)
{
	return NULL;
}

static status env_new(void *log, void *context, int severity, const char *id, void **out)
{
	(void)log;
	(void)context;
	(void)severity;
	(void)id;
	return fails("env") ? fails("env") : make(out);
}

static status providers(char ***out, int *count)
{
	static char cuda[] = "CUDAExecutionProvider", cpu[] = "CPUExecutionProvider";
	static char *list[] = { cuda, cpu };

	*out = list;
	*count = 2;
	return fails("providers");
}

static status cuda_add(void *options, const void *provider)
{
	(void)options;
	(void)provider;
	return fails("cuda");
}

/* With FAKE_ORT_FAILS=tf32, fails if NVIDIA's libraries may use TF32. */
static status session_make(void **out)
{
	const char *override = getenv("NVIDIA_TF32_OVERRIDE");

	if (fails("tf32") && (!override || strcmp(override, "0") != 0))
		return "TF32 is allowed";
	return fails("session") ? fails("session") : make(out);
}

static status session_new(
    const void *env, const char *path, const void *options, void **out)
{
	(void)env;
	(void)path;
	(void)options;
	return session_make(out);
}

static status session_new_from_array(
    const void *env, const void *bytes, size_t size, const void *options, void **out)
{
	(void)env;
	(void)bytes;
	(void)size;
	(void)options;
	return session_make(out);
}

static status count_one(const void *any, size_t *count)
{
	(void)any;
	*count = 1;
	return NULL;
}

static status get_type(const void *session, size_t i, void **out)
{
	(void)session;
	(void)i;
	return make(out);
}

static status input_name(const void *session, size_t i, void *allocator, char **out)
{
	(void)session;
	(void)i;
	(void)allocator;
	*out = strdup("x");
	return NULL;
}

static status output_name(const void *session, size_t i, void *allocator, char **out)
{
	(void)session;
	(void)i;
	(void)allocator;
	*out = strdup("y");
	return NULL;
}

static status release(void *allocator, void *ptr)
{
	(void)allocator;
	free(ptr);
	return NULL;
}

static status kind(const void *type, int *out)
{
	(void)type;
	*out = TENSOR;
	return NULL;
}

static status get_object(const void *any, void **out)
{
	(void)any;
	return make(out);
}

static status element(const void *tensor, int *out)
{
	(void)tensor;
	*out = FLOAT;
	return NULL;
}

static status sizes(const void *tensor, int64_t *size, size_t dims)
{
	(void)tensor;
	for (size_t i = 0; i < dims; i++)
		size[i] = 1;
	return NULL;
}

static status cpu_memory(int allocator, int memory, void **out)
{
	(void)allocator;
	(void)memory;
	return make(out);
}

static status value_new(const void *memory, void *data, size_t bytes, const int64_t *size,
    size_t dims, int type, struct fake_value **out)
{
	(void)memory;
	(void)size;
	if (bytes != sizeof(float) || dims != 1 || type != FLOAT)
		return "not a float32 of shape [1]";
	*out = malloc(sizeof(**out));
	(*out)->data = data;
	return NULL;
}

static status value_data(struct fake_value *v, void **out)
{
	*out = v->data;
	return NULL;
}

static void value_free(struct fake_value *v)
{
	free(v);
}

static status run(void *session, const void *options, const char *const *input_names,
    const struct fake_value *const *input, size_t inputs, const char *const *output_names,
    size_t outputs, struct fake_value **output)
{
	(void)session;
	(void)options;
	if (inputs != 1 || outputs != 1 || strcmp(input_names[0], "x") != 0 ||
	    strcmp(output_names[0], "y") != 0 || !output[0])
		return "x and y are expected";
	*output[0]->data = 2 * *input[0]->data;
	return fails("run");
}

/* The functions by their indices. */
static const struct {
	size_t index;
	void *function;
} functions[] = {
	{ 2, (void *)message },
	{ 4, (void *)env_new },
	{ 7, (void *)session_new },
	{ 8, (void *)session_new_from_array },
	{ 9, (void *)run },
	{ 10, (void *)make },
	{ 24, (void *)accept_any },
	{ 30, (void *)count_one },
	{ 31, (void *)count_one },
	{ 33, (void *)get_type },
	{ 34, (void *)get_type },
	{ 36, (void *)input_name },
	{ 37, (void *)output_name },
	{ 49, (void *)value_new },
	{ 51, (void *)value_data },
	{ 55, (void *)get_object },
	{ 56, (void *)kind },
	{ 60, (void *)element },
	{ 61, (void *)count_one },
	{ 62, (void *)sizes },
	{ 63, (void *)accept_any },
	{ 65, (void *)get_object },
	{ 69, (void *)cpu_memory },
	{ 76, (void *)release },
	{ 78, (void *)make },
	{ 93, (void *)discard },
	{ 94, (void *)discard },
	{ 95, (void *)discard },
	{ 96, (void *)value_free },
	{ 98, (void *)discard },
	{ 99, (void *)discard },
	{ 100, (void *)discard },
	{ 125, (void *)providers },
	{ 126, (void *)accept_any },
	{ 204, (void *)cuda_add },
	{ 205, (void *)make },
	{ 206, (void *)accept_any },
	{ 208, (void *)discard },
};

static const char *version(void)
{
	const char *wanted = getenv("FAKE_ORT_VERSION");

	return wanted ? wanted : "1.17.0";
}

static void *const *api(uint32_t number)
{
	static void *table[FUNCTIONS];

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		table[functions[i].index] = functions[i].function;
	return number == 17 ? table : NULL;
}

/* The only exported function. */
const void *OrtGetApiBase(void)
{
	static const struct {
		void *const *(*api)(uint32_t number);
		const char *(*version)(void);
	} base = { api, version };

	return &base;
}
