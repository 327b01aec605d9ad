# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plug-ins for families of devices. Each is built if its headers are installed; cuda, hip and the
# engines need none. A plug-in includes bench-backend.h and the interface of its device, and exports one symbol.

BACKENDS := $(if $(OPENBLAS),cpu) $(if $(OPENCL),opencl) cuda hip onnxruntime openvino

cpu_SRC := $(filter-out $(if $(DNN),%/cpu_dnn_none.c,%/cpu_dnn.c %/cpu_dnn_conv.c %/cpu_dnn_layout.c \
	%/cpu_dnn_half.c %/cpu_dnn_plan.c),$(wildcard backends/cpu/*.c))
cpu_LIBS := $(OPENBLAS_LIBS) $(if $(DNN),-ldnnl) -fopenmp

# Finds the libraries that these plug-ins load at run time.
LIBRARY_SRC := $(wildcard backends/library/*.c)

# One host source over three drivers.
GPU_SRC := $(wildcard backends/gpu/gpu*.c)
opencl_SRC := $(GPU_SRC) $(wildcard backends/gpu/opencl*.c)
opencl_LIBS := -lclblast -lOpenCL
cuda_SRC := $(GPU_SRC) $(LIBRARY_SRC) $(wildcard backends/gpu/cuda*.c)
hip_SRC := $(GPU_SRC) $(LIBRARY_SRC) backends/gpu/hip.c $(wildcard backends/gpu/cudahip*.c)

# Engines, which run whole models. They declare what they use of a library, and load it at run time.
ENGINE_SRC := $(wildcard backends/engine/engine*.c)
onnxruntime_SRC := $(ENGINE_SRC) $(LIBRARY_SRC) $(wildcard backends/engine/onnxruntime*.c)
openvino_SRC := $(ENGINE_SRC) $(LIBRARY_SRC) $(wildcard backends/engine/openvino*.c)

BACKEND_SRC := $(sort $(foreach b,$(BACKENDS),$($(b)_SRC)))
PLUGINS := $(BACKENDS:%=$(BUILD)/lib/benchutils/backend-%.so)

PLUGIN_CFLAGS := $(C) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -fPIC -fvisibility=hidden -iquote include -iquote .
$(OBJ)/backends/%.o: COMPILE = $(PLUGIN_CFLAGS)
# The reference backend is part of the library.
$(OBJ)/backends/ref/%.o: COMPILE = $(OUR_CFLAGS)
# The compiler vectorizes plain loops, and needs these flags to do so. With sanitizers -O3 would take
# half a minute for each file of kernels.
$(OBJ)/backends/cpu/%.o: COMPILE = $(PLUGIN_CFLAGS) $(OPENBLAS_CFLAGS) -fopenmp $(if $(SANITIZE),,-O3) -fno-math-errno \
	-fno-trapping-math -ffp-contract=fast -Wno-pass-failed
# Only functions that cpu_dispatch.c chooses for the processor come from these files.
AVX2 := -mavx2 -mfma -mf16c -mbmi2
$(OBJ)/backends/cpu/cpu_avx2.o: COMPILE += $(if $(X86_64),$(AVX2) -mprefer-vector-width=256)
$(OBJ)/backends/cpu/cpu_avx512.o: COMPILE += $(if $(X86_64),$(AVX2) -mavx512f -mavx512bw -mavx512dq \
	-mavx512vl -mprefer-vector-width=512)

.SECONDEXPANSION:
$(PLUGINS): LINK = $(OUR_LDFLAGS) -shared
$(PLUGINS): LIBS = $($(patsubst backend-%.so,%,$(@F))_LIBS) -lm
$(PLUGINS): $(BUILD)/lib/benchutils/backend-%.so: $$(call objects,$$($$*_SRC))
	$(link)
