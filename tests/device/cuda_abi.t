#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the constants of backends/gpu/cuda_abi.h with NVIDIA's headers.
. "${0%/*}/../lib/tap.sh"

include=
for dir in /usr/local/cuda/include /usr/include; do
	[ -e "$dir/cuda.h" ] && [ -e "$dir/cublas_v2.h" ] && include=$dir && break
done
[ -n "$include" ] || { echo "1..0 # SKIP NVIDIA's headers are not installed" && exit; }

# Each line of the list has our name of a constant, and theirs.
{
	printf '#include <cublas_v2.h>\n#include <cublasLt.h>\n#include <cuda.h>\n#include "%s/backends/gpu/cuda_abi.h"\n' "$ROOT"
	while read -r ours theirs; do
		printf '_Static_assert((int)%s == (int)%s, "%s");\n' "$ours" "$theirs" "$ours"
	done
} >abi.c <<'END'
CUDA_ATTRIBUTE_UNITS CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
CUDA_ATTRIBUTE_MAJOR CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
CUDA_ATTRIBUTE_MINOR CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
CUDA_TYPE_FLOAT32 CUDA_R_32F
CUDA_TYPE_FLOAT64 CUDA_R_64F
CUDA_TYPE_FLOAT16 CUDA_R_16F
CUDA_TYPE_INT8 CUDA_R_8I
CUDA_TYPE_INT32 CUDA_R_32I
CUDA_TYPE_BFLOAT16 CUDA_R_16BF
CUBLAS_IN_FLOAT32 CUBLAS_COMPUTE_32F
CUBLAS_IN_FLOAT64 CUBLAS_COMPUTE_64F
CUBLAS_IN_INT32 CUBLAS_COMPUTE_32I
CUBLAS_IN_TF32 CUBLAS_COMPUTE_32F_FAST_TF32
CUBLAS_AS_STORED CUBLAS_OP_N
CUBLAS_LT_TRANSPOSE_A CUBLASLT_MATMUL_DESC_TRANSA
CUBLAS_LT_EPILOGUE CUBLASLT_MATMUL_DESC_EPILOGUE
CUBLAS_LT_BIAS_POINTER CUBLASLT_MATMUL_DESC_BIAS_POINTER
CUBLAS_LT_NO_EPILOGUE CUBLASLT_EPILOGUE_DEFAULT
CUBLAS_LT_RELU CUBLASLT_EPILOGUE_RELU
CUBLAS_LT_BIAS CUBLASLT_EPILOGUE_BIAS
CUBLAS_LT_GELU CUBLASLT_EPILOGUE_GELU
CUBLAS_LT_WORKSPACE_MAX CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
CUBLAS_LT_ALIGNMENT_A CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES
CUBLAS_LT_ALIGNMENT_B CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES
CUBLAS_LT_ALIGNMENT_C CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES
CUBLAS_LT_ALIGNMENT_D CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES
CUBLAS_TRANSPOSED CUBLAS_OP_T
CUBLAS_ALGORITHM_DEFAULT CUBLAS_GEMM_DEFAULT
CUBLAS_MATH_WITHOUT_REDUCED_REDUCTION CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION
END
ok "the constants of cuda_abi.h are those of NVIDIA's headers" gcc -fsyntax-only -isystem "$include" abi.c
# Each constant of the header must be in the list.
grep -oE '\<(CUDA|CUBLAS)_[A-Z0-9_]+ = ' "$ROOT/backends/gpu/cuda_abi.h" | cut -d' ' -f1 | while read -r name; do
	grep -q "\"$name\"" abi.c || echo "$name"
done >missing
is "$(cat missing)" '' "each constant of cuda_abi.h is compared with NVIDIA's headers"
done_testing
