/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolves single channels of bytes (cpu_depthwise.h). A vector has the quads that begin
 * at every fourth pixel, so four vectors from neighboring bytes on are those of all pixels,
 * and the bytes of their results, next to each other, are in order. A part of
 * cpu_kernels.h.
 */

typedef uint8_t bytes_all __attribute__((vector_size(ISA_BITS / 8), may_alias));
typedef float lanes_f32
    __attribute__((vector_size(ISA_BITS / 8), aligned(sizeof(float)), may_alias));

/* Adds the products of quads and weights to a sum. `vnni` is a constant. */
static inline __attribute__((always_inline)) lanes_i32 depth_add(
    lanes_i32 sum, lanes_i32 x, lanes_i32 w, bool vnni)
{
#if defined __x86_64__ && ISA_BITS == 512
	if (vnni)
		__asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(w));
	else
		sum += (lanes_i32)_mm512_madd_epi16(
		    _mm512_maddubs_epi16((__m512i)x, (__m512i)w), _mm512_set1_epi16(1));
	return sum;
#elif defined __x86_64__ && ISA_BITS == 256
	if (vnni)
		__asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(x), "x"(w));
	else
		lanes_sum_quads(&sum, x, w, (lanes_i16){ 0 } + 1);
	return sum;
#else
	/* The even and the odd bytes, each in 16 bits. */
	const lanes_i32 low = (lanes_i32){ 0 } + 0x00ff00ff;
	const lanes_i16 even = (lanes_i16)((lanes_u16)w << 8) >> 8, odd = (lanes_i16)w >> 8;
	(void)vnni;
	sum = lanes_add_pairs(sum, x & low, (lanes_i32)even);
	return lanes_add_pairs(sum, (lanes_i32)((lanes_u16)x >> 8), (lanes_i32)odd);
#endif
}

/* Returns x, at least `low` and at most `high`. */
static inline lanes_f32 depth_clamp(lanes_f32 x, lanes_f32 low, lanes_f32 high)
{
#if defined __x86_64__ && ISA_BITS == 512
	return (lanes_f32)_mm512_min_ps(
	    _mm512_max_ps((__m512)x, (__m512)low), (__m512)high);
#elif defined __x86_64__ && ISA_BITS == 256
	return (lanes_f32)_mm256_min_ps(
	    _mm256_max_ps((__m256)x, (__m256)low), (__m256)high);
#else
	const lanes_i32 below = (x < low), above = (x > high);
	return (lanes_f32)(((lanes_i32)x & ~(below | above)) | ((lanes_i32)low & below) |
	                   ((lanes_i32)high & above));
#endif
}

static inline __attribute__((always_inline)) void depth_channel(
    uint8_t *out, const struct cpu_depth *d, bool vnni)
{
	/* The sum of this number and a small one ends in the rounded one. */
	const lanes_f32 whole = (lanes_f32){ 0 } + 12582912,
	                low = (lanes_f32){ 0 } + (float)d->by.low,
	                high = (lanes_f32){ 0 } + (float)d->by.high;
	const lanes_i32 none = (lanes_i32){ 0 } - d->by.zero;
	const bytes_all base = (bytes_all){ 0 } + (uint8_t)d->by.base;
	const float scale = d->by.scale, bias = d->by.bias;
	for (int64_t i = 0; i < d->n; i += 4 * LANES_PIXELS) {
		lanes_i32 sum[4] = { none, none, none, none }, all = { 0 };
		for (int64_t t = 0; t < d->terms; t++) {
			const uint8_t *x = d->x + i + d->term[t].at;
			const lanes_i32 w = (lanes_i32){ 0 } + (int32_t)d->term[t].weights;
			_Pragma("GCC unroll 4") for (int k = 0; k < 4; k++)
			{
				lanes_i32 quads;
				memcpy(&quads, x + k, sizeof(quads));
				sum[k] = depth_add(sum[k], quads, w, vnni);
			}
		}
		_Pragma("GCC unroll 4") for (int k = 0; k < 4; k++)
		{
			const lanes_f32 x =
			    __builtin_convertvector(sum[k], lanes_f32) * scale + bias;
			const lanes_i32 bits =
			    (lanes_i32)(depth_clamp(x, low, high) + whole);
			all |= (bits & (k < 3 ? 255 : -1)) << 8 * k;
		}
		all = (lanes_i32)((bytes_all)all - base);
		memcpy(out + i, &all, sizeof(all));
	}
}

static void depth_run(uint8_t *out, const struct cpu_depth *d)
{
	depth_channel(out, d, false);
}

#if defined __x86_64__ && ISA_BITS >= 256
static void depth_vnni_run(uint8_t *out, const struct cpu_depth *d)
{
	depth_channel(out, d, true);
}
#else
static cpu_depthwise *const depth_vnni_run = NULL;
#endif
