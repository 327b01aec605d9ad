/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The message TensorProto: its fields, its checks, and its data. Pure.
 */
#ifndef ONNX_ONNX_TENSOR_H
#define ONNX_ONNX_TENSOR_H

#include "protobuf/wire.h"

/* Reads a struct onnx_tensor. */
extern const struct wire_message onnx_tensor_message;

#endif
