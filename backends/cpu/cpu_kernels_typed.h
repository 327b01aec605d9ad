/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of one type. It has no guard, because cpu_kernels.h includes it once for each
 * type. */
#include "cpu_acts.h"
#include "cpu_streams.h"
#include "cpu_elements.h"
#include "cpu_packed.h"
#include "cpu_norms.h"
#include "cpu_attention_few.h"
#include "cpu_attention.h"
#include "cpu_images.h"
#include "cpu_tokens.h"
#include "cpu_choose.h"
#include "cpu_trees.h"
#undef T
#undef T_
#undef BLAS_TYPE
#undef TENSOR
#undef T_MAX
