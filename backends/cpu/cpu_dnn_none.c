/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces cpu_dnn.c in a build without oneDNN. */
#include "cpu_dnn.h"

const char *cpu_dnn_version(void)
{
	return "";
}

struct cpu_dnn *cpu_dnn_open(const struct backend_session *s)
{
	(void)s;
	return NULL;
}

void cpu_dnn_close(struct cpu_dnn *d)
{
	(void)d;
}

bool cpu_dnn_products(void)
{
	return false;
}

void cpu_dnn_gemm(const struct cpu_blas *g)
{
	cpu_blas_gemm(g);
}

bool cpu_dnn_bfloat16(void)
{
	return false;
}

int cpu_dnn_half_gemm(struct backend_session *s, struct backend_op *op, char *why)
{
	(void)s;
	(void)op;
	(void)why;
	return 0;
}

int cpu_dnn_prepare(
    struct backend_session *s, struct backend_op *op, size_t count, char *why)
{
	(void)s;
	(void)op;
	(void)count;
	return hook_fail(why, "built without oneDNN");
}

void cpu_dnn_release(struct backend_session *s, struct backend_op *op)
{
	(void)s;
	(void)op;
}

int cpu_dnn_run(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)s;
	(void)op;
	return hook_fail(why, "built without oneDNN");
}

bool cpu_dnn_int8(void)
{
	return false;
}

int cpu_dnn_gemm_int8(struct backend_session *s, const struct cpu_int8_product *p)
{
	(void)s;
	(void)p;
	return -1;
}

int cpu_dnn_gemm_u8s8(struct backend_session *s, int64_t m, int64_t n, int64_t k,
    const uint8_t *a, const int8_t *b, int32_t *c)
{
	(void)s;
	(void)m;
	(void)n;
	(void)k;
	(void)a;
	(void)b;
	(void)c;
	return -1;
}
