/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Activations, applied to elements at the end of an operation. A part of cpu_kernels.h. */

#define ACT(name, expression)                                       \
	static void T_(name)(T * x, int64_t n)                      \
	{                                                           \
		_Pragma("omp simd") for (int64_t i = 0; i < n; i++) \
		{                                                   \
			const T v = x[i];                           \
			x[i] = (expression);                        \
		}                                                   \
	}

static inline T T_(softplus)(T v)
{
	T rest = T_(log1p)(T_(exp)(v < 0 ? v : -v));
	return v > 0 ? v + rest : v < 0 ? rest : v + rest;
}

ACT(act_relu, v < 0 ? 0 : v)
ACT(act_gelu, (T)0.5 * v * (1 + T_(erf)(v * (T)0.70710678118654752440)))
ACT(act_gelu_tanh,
    (T)0.5 * v * (1 + T_(tanh)((T)0.79788456080286535588 * (v + (T)0.044715 * v * v * v))))
ACT(act_quick_gelu, v / (1 + T_(exp)((T)-1.702 * v)))
ACT(act_silu, v / (1 + T_(exp)(-v)))
ACT(act_tanh, T_(tanh)(v))
ACT(act_sigmoid, 1 / (1 + T_(exp)(-v)))
ACT(act_softplus, T_(softplus)(v))

static inline T T_(hard_sigmoid)(T v)
{
	T y = v * (T)(1.0 / 6) + (T)0.5;
	y = y < 0 ? 0 : y;
	return y > 1 ? 1 : y;
}

ACT(act_relu6, v<0 ? 0 : v> 6 ? 6 : v)
ACT(act_hard_sigmoid, T_(hard_sigmoid)(v))
ACT(act_hard_swish, v *T_(hard_sigmoid)(v))
ACT(act_exp, T_(exp)(v))
ACT(act_log, T_(log)(v))
ACT(act_sqrt, T_(sqrt)(v))
ACT(act_reciprocal, 1 / v)
ACT(act_erf, T_(erf)(v))
ACT(act_sin, T_(sin)(v))
ACT(act_cos, T_(cos)(v))

static void (*const T_(acts)[BACKEND_ACTS])(T *x, int64_t n) = {
	[BACKEND_RELU] = T_(act_relu),
	[BACKEND_GELU] = T_(act_gelu),
	[BACKEND_GELU_TANH] = T_(act_gelu_tanh),
	[BACKEND_QUICK_GELU] = T_(act_quick_gelu),
	[BACKEND_SILU] = T_(act_silu),
	[BACKEND_TANH] = T_(act_tanh),
	[BACKEND_SIGMOID] = T_(act_sigmoid),
	[BACKEND_SOFTPLUS] = T_(act_softplus),
	[BACKEND_RELU6] = T_(act_relu6),
	[BACKEND_HARD_SIGMOID] = T_(act_hard_sigmoid),
	[BACKEND_HARD_SWISH] = T_(act_hard_swish),
	[BACKEND_EXP] = T_(act_exp),
	[BACKEND_LOG] = T_(act_log),
	[BACKEND_SQRT] = T_(act_sqrt),
	[BACKEND_RECIPROCAL] = T_(act_reciprocal),
	[BACKEND_ERF] = T_(act_erf),
	[BACKEND_SIN] = T_(act_sin),
	[BACKEND_COS] = T_(act_cos),
};

#undef ACT

static void T_(act)(void *x, int64_t n, enum backend_act act)
{
	T *at = x;
	if (act == BACKEND_LINEAR)
		return;
	for (int64_t i = 0; i < n; i += SPAN)
		T_(acts)[act](at + i, cpu_min(SPAN, n - i));
}
