/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * onnxruntime_loop MODEL THREADS SECONDS: the plain loop over ONNX Runtime's C interface
 * that a model on the backend onnxruntime is compared with. Inputs have small numbers, and
 * fixed sizes. Prints the median of the times of parts of half a millisecond or one run, in
 * us.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/engine/onnxruntime_api.h"

enum { PORTS = 8, PARTS = 100000 };

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static const struct ort *o;
static char why[BACKEND_WHY];

static void need(struct ort_status *status)
{
	if (ort_check(o, status, "", why)) {
		fprintf(stderr, "%s\n", why);
		exit(1);
	}
}

/* Makes the value of a float32 input or output. */
static struct ort_value *make(struct ort_type_info *type)
{
	const struct ort_tensor_info *tensor;
	struct ort_memory_info *memory;
	struct ort_value *value;
	int64_t size[8], count = 1;
	size_t dims;

	need(o->api.type_tensor(type, &tensor));
	need(o->api.tensor_dims(tensor, &dims));
	need(o->api.tensor_sizes(tensor, size, dims));
	for (size_t i = 0; i < dims; i++)
		count *= size[i];
	float *data = aligned_alloc(64, ((size_t)count * 4 + 63) / 64 * 64);
	for (int64_t i = 0; i < count; i++)
		data[i] = (float)(i * 37 % 101) / 50 - 1;
	need(o->api.cpu_memory(ORT_ALLOCATOR_ARENA, ORT_MEMORY_DEFAULT, &memory));
	need(o->api.value_new(memory, data, (size_t)count * 4, size, dims, 1, &value));
	return value;
}

int main(int argc, char **argv)
{
	struct ort_value *value[2][PORTS];
	char *name[2][PORTS];
	struct ort_options *options;
	struct ort_session *session;
	struct ort_allocator *allocator;
	size_t inputs, outputs;
	static double part[PARTS];
	const double part_seconds = 5e-4;
	long batch = 1;

	o = argc == 4 ? ort_load(why) : NULL;
	if (!o) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	need(o->api.options_new(&options));
	need(o->api.set_threads(options, atoi(argv[2])));
	need(o->api.session_new(o->env, argv[1], options, &session));
	need(o->api.allocator(&allocator));
	need(o->api.inputs(session, &inputs));
	need(o->api.outputs(session, &outputs));
	for (size_t i = 0; i < inputs + outputs && i < PORTS; i++) {
		const int out = i >= inputs;
		const size_t at = out ? i - inputs : i;
		struct ort_type_info *type;

		need((out ? o->api.output_type : o->api.input_type)(session, at, &type));
		need((out ? o->api.output_name : o->api.input_name)(
		    session, at, allocator, &name[out][at]));
		value[out][at] = make(type);
	}
	const double end = seconds() + atof(argv[3]);
	size_t parts = 0;
	for (double now = seconds(); (now < end || parts < 3) && parts < PARTS;) {
		const double start = now;
		long runs = 0;

		for (; now - start < part_seconds; runs += batch) {
			for (long i = 0; i < batch; i++)
				need(o->api.run(session, NULL, (const char *const *)name[0],
				    (const struct ort_value *const *)value[0], inputs,
				    (const char *const *)name[1], outputs, value[1]));
			now = seconds();
		}
		part[parts++] = (now - start) / (double)runs * 1e6;
		batch = (now - start) / (double)runs < 1e-4 ? 64 : 1;
	}
	qsort(part, parts, sizeof(*part), compare);
	printf("%.4f\n", part[parts / 2]);
	return 0;
}
