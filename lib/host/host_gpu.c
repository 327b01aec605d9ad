/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Readers of facts about GPUs.
 */
#include <stdlib.h>
#include <string.h>

#include "host/host_read.h"
#include "sys/child_answer.h"
#include "sys/gpu.h"

static const char *const fact_keys[GPU_FACTS] = {
	[GPU_FACT_MODEL] = "model",
	[GPU_FACT_DRIVER] = "driver",
	[GPU_FACT_CUDA] = "cuda",
	[GPU_FACT_MEMORY] = "memory",
	[GPU_FACT_POWER_LIMIT] = "power_limit",
	[GPU_FACT_ECC] = "ecc",
	[GPU_FACT_MIG] = "mig",
	[GPU_FACT_PARTITION] = "partition",
	[GPU_FACT_PCIE_GEN] = "pcie_gen",
	[GPU_FACT_PCIE_WIDTH] = "pcie_width",
};

/* Returns whether a value is one of those that are separated by ", ". */
static bool has_value(struct text values, struct text value)
{
	for (size_t i = 0; i + value.len <= values.len; i++)
		if (memcmp(values.ptr + i, value.ptr, value.len) == 0 &&
		    (i == 0 || values.ptr[i - 1] == ' ') &&
		    (i + value.len == values.len || values.ptr[i + value.len] == ','))
			return true;
	return false;
}

/* Appends a line with the distinct values of a fact, if there are any. */
static void put_fact_line(const struct gpus *g, enum gpu_fact fact, struct buf *out)
{
	struct buf values = { 0 }, value = { 0 };

	for (size_t i = 0; i < gpus_count(g); i++) {
		value.len = 0;
		gpus_fact(g, i, fact, &value);
		if (!value.len || has_value(text_in(&values),
		                      text_in(&value)))
			continue;
		buf_str(&values, values.len ? ", " : "");
		buf_put(&values, value.ptr, value.len);
	}
	if (values.len)
		buf_printf(out, "%s=%.*s\n", fact_keys[fact], (int)values.len, values.ptr);
	buf_free(&values);
	buf_free(&value);
}

static void put_lines(const struct kernel_files *files, struct buf *out)
{
	struct fault ignored;
	struct gpus *g = gpus_open(files, &ignored);

	if (!g)
		return;
	buf_printf(out, "count=%zu\n", gpus_count(g));
	for (enum gpu_fact fact = 0; fact < GPU_FACTS; fact++)
		put_fact_line(g, fact, out);
	gpus_close(g);
}

static int ask_library(struct buf *answer, struct fault *f)
{
	struct kernel_files files;

	if (kernel_files_open(&files, "/", f) < 0)
		return -1;
	put_lines(&files, answer);
	kernel_files_close(&files);
	return 0;
}

/*
 * Reads a fact about GPUs. A library of a driver may hang or start threads, and
 * is therefore asked in a child process.
 */
void host_read_gpu(struct host_source *s, const char *arg, struct buf *out)
{
	enum { TIMEOUT_MS = 10000 };
	struct fault f;

	if (!s->gpus_asked && s->files.live && gpus_have_library()) {
		if (child_answer(ask_library, TIMEOUT_MS, &s->gpus, &f) < 0 && !s->refusal)
			s->refusal = str_format("GPUs: %s", f.text);
	} else if (!s->gpus_asked) {
		put_lines(&s->files, &s->gpus);
	}
	s->gpus_asked = true;
	if (s->gpus.len)
		buf_text(out,
		    host_key_value(text_in(&s->gpus), arg, '='));
}
