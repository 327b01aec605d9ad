/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compiles models, with properties that make measurements comparable: one stream, the
 * threads of the session, and arithmetic in the types of the model. OpenVINO's own default
 * is to compute float32 models in bfloat16 or float16 where the processor or GPU is faster
 * with these.
 */
#include <stdio.h>
#include <string.h>

#include "backends/hook/hook.h"
#include "openvino_session.h"

enum { PROPERTIES_MAX = 32, LIST_MAX = 8192 };

/* Properties that are passed to the library. */
struct openvino_properties {
	const char *text[2 * PROPERTIES_MAX];
	size_t count; /* of strings */
};

/* Properties that OpenVINO handles for all devices, and that no device lists. */
static const char common_properties[] =
    "CACHE_DIR CACHE_MODE ENABLE_MMAP DEVICE_PROPERTIES MULTI_DEVICE_PRIORITIES "
    "ENABLE_STARTUP_FALLBACK";

bool openvino_option_given(const struct backend_model_source *from, const char *name)
{
	for (size_t i = 0; i < from->options; i++)
		if (strcmp(from->option[i].name, name) == 0)
			return true;
	return false;
}

/* Stores the names of the properties of a device; those of AUTO are also the properties of
 * the devices that it may choose. */
static void properties_list(const struct backend_session *s, char *list, size_t size)
{
	static const char *const chosen[] = { "CPU", "GPU", "NPU" };
	char more[LIST_MAX];

	openvino_property(s, NULL, s->device, "SUPPORTED_PROPERTIES", list, size);
	if (strcmp(s->device, "AUTO") != 0)
		return;
	for (size_t i = 0; i < sizeof(chosen) / sizeof(*chosen); i++) {
		const size_t length = strlen(list);

		if (openvino_property(
		        s, NULL, chosen[i], "SUPPORTED_PROPERTIES", more, sizeof(more)))
			snprintf(list + length, size - length, " %s", more);
	}
}

/* Appends a property. Returns 0, or -1 and the reason if there are too many. */
static int property_append(
    struct openvino_properties *p, const char *key, const char *value, char *why)
{
	if (p->count == 2 * PROPERTIES_MAX)
		return hook_fail(
		    why, "OpenVINO gets at most %d properties here", PROPERTIES_MAX);
	p->text[p->count++] = key;
	p->text[p->count++] = value;
	return 0;
}

/* Appends a default unless the source has the option or the device lacks the property. */
static int default_append(struct openvino_properties *p,
    const struct backend_model_source *from, const char *list, const char *key,
    const char *value, char *why)
{
	if (openvino_option_given(from, key) || !openvino_lists(list, key))
		return 0;
	return property_append(p, key, value, why);
}

/* Appends the defaults, and the options of the source. Returns 0, or -1 and the reason. */
static int properties_collect(const struct backend_model *m,
    const struct backend_model_source *from, const char *threads, bool profile,
    struct openvino_properties *p, char *why)
{
	char list[4 * LIST_MAX];

	properties_list(m->s, list, sizeof(list));
	if (default_append(p, from, list, "NUM_STREAMS", "1", why) ||
	    default_append(p, from, list, "INFERENCE_NUM_THREADS", threads, why) ||
	    (!openvino_option_given(from, "INFERENCE_PRECISION_HINT") &&
	        default_append(p, from, list, "EXECUTION_MODE_HINT", "ACCURACY", why)) ||
	    default_append(p, from, list, "ENABLE_STARTUP_FALLBACK", "NO", why) ||
	    (profile && property_append(p, "PERF_COUNT", "YES", why)))
		return -1;
	for (size_t i = 0; i < from->options; i++) {
		const struct backend_option *o = &from->option[i];

		/* AUTO ignores properties that it does not know. */
		if (strcmp(m->s->device, "AUTO") == 0 && !openvino_lists(list, o->name) &&
		    !openvino_lists(common_properties, o->name))
			return hook_fail(why, "OpenVINO %s has no property %s",
			    m->s->ov->version, o->name);
		if (property_append(p, o->name, o->value, why))
			return -1;
	}
	return 0;
}

int openvino_model_compile(const struct backend_model *m,
    const struct backend_model_source *from, bool profile,
    struct ov_compiled_model **compiled, char *why)
{
	const struct backend_session *s = m->s;
	struct openvino_properties p = { .count = 0 };
	const char *const *t = p.text;
	char threads[16];
	int status;

	snprintf(threads, sizeof(threads), "%u", (unsigned)s->threads);
	if (properties_collect(m, from, threads, profile, &p, why))
		return -1;
	/* The function reads as many strings as its fourth argument says. */
	status = s->ov->api.core_compile_model(s->core, m->model, s->device, p.count,
	    compiled, t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9], t[10],
	    t[11], t[12], t[13], t[14], t[15], t[16], t[17], t[18], t[19], t[20], t[21],
	    t[22], t[23], t[24], t[25], t[26], t[27], t[28], t[29], t[30], t[31], t[32],
	    t[33], t[34], t[35], t[36], t[37], t[38], t[39], t[40], t[41], t[42], t[43],
	    t[44], t[45], t[46], t[47], t[48], t[49], t[50], t[51], t[52], t[53], t[54],
	    t[55], t[56], t[57], t[58], t[59], t[60], t[61], t[62], t[63]);
	return status ? openvino_fail(s->ov, status, why,
	                    "OpenVINO cannot compile the model for %s", s->device)
	              : 0;
}
