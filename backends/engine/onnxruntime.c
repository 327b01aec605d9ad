/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The backend onnxruntime runs whole models with ONNX Runtime, which is loaded at run time.
 * Its devices are ONNX Runtime's execution providers.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/hook/hook.h"
#include "backends/processor/avx_vnni.h"
#include "onnxruntime_model.h"

static struct backend_session *session_open(const struct backend_config *config, char *why)
{
	struct ort_target target[ORT_TARGETS];
	const struct ort *o = ort_load(why);
	const int count = o ? ort_targets(o, target, config->device + 1u, why) : -1;
	struct backend_session *s;

	if (count < 0)
		return NULL;
	if (config->device >= (uint32_t)count) {
		hook_fail(why, "ONNX Runtime has no device %u", (unsigned)config->device);
		return NULL;
	}
	s = calloc(1, sizeof(*s));
	if (!s) {
		hook_fail(why, "out of memory");
		return NULL;
	}
	s->ort = o;
	s->target = target[config->device];
	s->threads = config->threads;
	return s;
}

static void session_close(struct backend_session *s)
{
	free(s);
}

/* Without VNNI, ONNX Runtime multiplies with VPMADDUBSW on x86-64, which saturates sums of
 * two products at 16 bits (its documentation, "Quantize ONNX models"). */
static const char *int8_lack(struct backend_session *s)
{
#ifdef __x86_64__
	if (strcmp(s->target.word, "cpu") == 0 && !__builtin_cpu_supports("avx512vnni") &&
	    !avx_vnni_is_here())
		return "the processor has neither AVX512-VNNI nor AVX-VNNI, without which "
		       "ONNX Runtime's sums of products of int8 saturate at 16 bits";
#endif
	(void)s;
	return NULL;
}

static const struct backend_engine engine = {
	.formats = "onnx ort",
	.load = ort_model_load,
	.unload = ort_model_unload,
	.ports = ort_model_ports,
	.set = ort_model_set,
	.carry = ort_model_carry,
	.adopt = ort_model_adopt,
	.run = ort_model_run,
	.get = ort_model_get,
	.facts = ort_model_facts,
	.time_ops = ort_model_time_ops,
	.lacks_int8 = int8_lack,
};

/* The symbol by which the backend is loaded. */
__attribute__((visibility("default"))) const struct backend bench_backend = {
	.abi = BACKEND_ABI,
	.name = "onnxruntime",
	.summary = "whole models with ONNX Runtime",
	.probe = ort_probe,
	.open = session_open,
	.close = session_close,
	.memory = ort_model_memory,
	.engine = &engine,
};
