/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes matrix products with CLBlast. Its half-precision products are not used, because
 * they accumulate in half precision. CLBlast is not used on processors, where its rate is a
 * tenth of that of the tiles of matrix.cl.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <clblast_c.h>

#include "opencl_priv.h"

bool opencl_has_product(struct gpu *g, const struct gpu_product *p)
{
	return !g->wide && p->dtype == p->out &&
	       (p->dtype == BACKEND_FLOAT32 || p->dtype == BACKEND_FLOAT64);
}

/* Defines the product of one precision: PREFIX is S or D, TYPE its number. */
#define PRODUCT(PREFIX, TYPE)                                                              \
	static CLBlastStatusCode product_##PREFIX(                                         \
	    const struct gpu_product *p, cl_command_queue *queue)                          \
	{                                                                                  \
		const CLBlastTranspose b =                                                 \
		    p->transpose_b ? CLBlastTransposeYes : CLBlastTransposeNo;             \
		const TYPE alpha = (TYPE)p->alpha, beta = (TYPE)p->beta;                   \
                                                                                           \
		if (p->batch == 1)                                                         \
			return CLBlast##PREFIX##gemm(CLBlastLayoutRowMajor,                \
			    CLBlastTransposeNo, b, (size_t)p->m, (size_t)p->n,             \
			    (size_t)p->k, alpha, p->a, (size_t)p->a_at, (size_t)p->a_ld,   \
			    p->b, (size_t)p->b_at, (size_t)p->b_ld, beta, p->c,            \
			    (size_t)p->c_at, (size_t)p->c_ld, queue, NULL);                \
		return CLBlast##PREFIX##gemmStridedBatched(CLBlastLayoutRowMajor,          \
		    CLBlastTransposeNo, b, (size_t)p->m, (size_t)p->n, (size_t)p->k,       \
		    alpha, p->a, (size_t)p->a_at, (size_t)p->a_ld, (size_t)p->a_step,      \
		    p->b, (size_t)p->b_at, (size_t)p->b_ld, (size_t)p->b_step, beta, p->c, \
		    (size_t)p->c_at, (size_t)p->c_ld, (size_t)p->c_step, (size_t)p->batch, \
		    queue, NULL);                                                          \
	}
PRODUCT(S, cl_float)
PRODUCT(D, cl_double)

int opencl_product(struct gpu *g, const struct gpu_product *p, char *why)
{
	struct opencl *cl = g->device;
	const CLBlastStatusCode status = p->dtype == BACKEND_FLOAT64
	                                     ? product_D(p, &cl->queue)
	                                     : product_S(p, &cl->queue);

	if (status == CLBlastSuccess)
		return 0;
	if (status == CLBlastInsufficientMemoryA || status == CLBlastInsufficientMemoryB ||
	    status == CLBlastInsufficientMemoryC)
		return hook_fail(why, "CLBlast: a matrix exceeds its buffer");
	return opencl_fail(why, "CLBlast", (cl_int)status);
}
