/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists the cases of op_check whose operands contain NaN and infinities.
 */
#include "op_check.h"

const struct op_row op_special_rows[] = {
	/* A NaN is the maximum of its window, and -inf is one if nothing else is there. */
	{ POOL(2, 2, 0, false), .in = { "1x3x6x8 special" }, .out = { "1x3x3x4" } },
	{ POOL(3, 1, 1, false), .in = { "2x16x9x10 special" }, .out = { "2x16x9x10" } },
	{ POOL(1, 2, 0, false), .in = { "1x2x5x5 hole=-inf" }, .out = { "1x2x3x3" } },
	{ .chain = "blocked",
	    CONV(1, 0, 1, 1),
	    .then = true,
	    .in = { "1x1x9x9 special", "16x1x1x1 w" },
	    .out = { "x=1x16x9x9 a" } },
	{ POOL(2, 2, 0, false), .in = { "x" }, .out = { "p=1x16x4x4 a" }, .then = true },
	{ CONV(1, 0, 1, 16), .in = { "p", "16x1x1x1 w" }, .out = { "1x16x4x4" } },

	/* No activation of its own hides a NaN. */
	{ OP(UNARY), .op.act = BACKEND_RELU, .op.p.element.alpha = 1,
	    .in = { "40x9 special" }, .out = { "40x9" } },

	/* A product that selects hides NaN and infinities where the factor is 0. */
	{ OP(BINARY), .op.p.element = { 1, 1, true, false, true },
	    .in = { "2x4x33 special", "33 w below=2" }, .out = { "2x4x33" } },
	{ OP(BINARY), .op.p.element = { 2, 1, true, false, true },
	    .in = { "40x9 special", "40x9 w below=3" }, .out = { "40x9" } },
	{ OP(BINARY), .op.p.element = { 1, 9, true, false, true },
	    .in = { "40x9 special", "40 w below=2" }, .out = { "40x9" }, ACT(RELU) },
	{ OP(BINARY), .op.p.element = { 1, 35, true, false, true },
	    .in = { "2x6x5x7 special", "6 w below=2" }, .out = { "2x6x5x7" } },

	/* NaN come before all numbers. */
	{ OP(ROUTE), .op.p.route = { 1, true }, .in = { "40x9 special" },
	    .out = { "40x1", "40x1 i32" } },
	{ OP(ROUTE), .op.p.route = { 3, false }, .in = { "40x7 special" },
	    .out = { "40x3", "40x3 i32" } },
	{ OP(ROUTE), .op.p.route = { 5, true }, .in = { "3x5 nan" },
	    .out = { "3x5", "3x5 i32" } },
	{ OP(TOPK), .op.p.route.k = 2, .in = { "40x5 special" },
	    .out = { "40x2", "40x2 i32" } },
	{ OP(TOPK), .op.p.route.k = 9, .in = { "7x300 special" },
	    .out = { "7x9", "7x9 i32" } },
	{ OP(TOPK), .op.p.route.k = 70, .in = { "3x70 special" },
	    .out = { "3x70", "3x70 i32" } },
	{ OP(TOPK), .op.p.route.k = 4, .in = { "3x4 nan" }, .out = { "3x4", "3x4 i32" } },

	/* An infinity makes its own row infinite, and no element NaN. */
	{ OP(GEMV), .in = { "9x7 hole=inf", "7" }, .out = { "9" } },
	{ OP(GEMM), .op.p.gemm = { 1, true }, .in = { "5x7 hole=inf", "9x7 w" },
	    .out = { "5x9" } },
	{ OP(GEMM), .op.p.gemm = { 1, true }, .in = { "6x7 hole=inf", "9x7 w" },
	    .out = { "6x9" } },
	{ OP(GEMM), .op.p.gemm = { 1, true }, .in = { "6x7", "8x7 w hole=inf" },
	    .out = { "6x8" } },
	{ OP(GEMM), .op.p.gemm = { 1, false }, .in = { "6x7", "7x64 w hole=-inf" },
	    .out = { "6x64" } },
	{ OP(GEMM), .op.p.gemm = { 1, true }, .in = { "20x1", "33x1 w hole=-inf" },
	    .out = { "20x33" } },
	{ OP(GEMM), .op.p.gemm = { 1, true }, .in = { "20x1 hole=inf", "33x1 w" },
	    .out = { "20x33" } },
	{ OP(GEMM), .op.p.gemm = { 1, true }, .in = { "40x129 hole=inf", "96x129 w" },
	    .out = { "40x96" } },
	{ OP(GEMM), .op.p.gemm = { 1, false }, .in = { "40x129 hole=inf", "129x96" },
	    .out = { "40x96" } },
	{ OP(GEMM), .op.p.gemm = { 1, false }, .in = { "5x7 hole=inf", "7x9 w" },
	    .out = { "5x9" } },
	{ OP(GEMM), .op.p.gemm = { 1, true }, .in = { "17x33 hole=-inf", "40x33" },
	    .out = { "17x40" } },
	{ OP(GEMM), .op.p.gemm = { 1, false }, .in = { "3x17x33 hole=-inf", "3x33x41" },
	    .out = { "3x17x41" } },
	{ OP(GEMM), .op.p.gemm = { 1, false }, .in = { "40x65", "65x70 hole=inf" },
	    .out = { "40x70" } },
	{ CONV(1, 0, 1, 1), .in = { "1x5x7x9 hole=inf", "16x5x1x1 w" },
	    .out = { "1x16x7x9" } },
	{ CONV(1, 1, 1, 1), .in = { "2x3x7x9 hole=-inf", "17x3x3x3 w" },
	    .out = { "2x17x7x9" } },
	{ CONV(1, 0, 1, 1), .in = { "2x1x7x9 special", "16x1x1x1 w", "16 w" },
	    .out = { "2x16x7x9" } },
	{ CONV(2, 1, 1, 1), .in = { "2x3x8x9 special", "32x3x3x3 w" },
	    .out = { "2x32x4x5" } },
	{ CONV(2, 1, 1, 3), .in = { "2x9x7x9 hole=inf", "21x3x3x3 w" },
	    .out = { "2x21x4x5" } },
	{ OP(EXPERTS), .op.p.route.k = 1,
	    .in = { "5x7 hole=inf", "4x3x7 w", "5x1 i32 below=4" }, .out = { "5x3" } },
};

const size_t op_special_row_count = COUNT(op_special_rows);
