/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations along tokens: positions, and the parts of Mamba.
 */

/*
 * Returns the angle of a position x times a frequency, which is given in turns per position as the
 * sum of two numbers, because one float would be off by 1e-4 after a thousand positions. Whole
 * turns are dropped.
 */
FUNCTION R angle(const R x, const R turns, const R rest)
{
	const R product = x * turns;
	const R error = fma(x, turns, -product) + x * rest;

	return (product - rint(product) + error) * (R)6.28318530717958647693;
}

/* frequency[d / 2][2] is as in angle. */
KERNEL rope(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), IN(R, frequency), const int tokens,
    const int heads, const int half_width, const int out_outer, const int out_inner,
    const int x_outer, const int x_inner, PAST_ARGUMENTS)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	PLACE(frequency);
	const int pair = i % half_width, head = i / half_width % heads;
	const int token = i / half_width / heads % tokens;
	const int batch = i / half_width / heads / tokens;
	const int column = head * 2 * half_width + pair;
	const R turned =
	    angle((R)(PAST + token), frequency[2 * pair], frequency[2 * pair + 1]);
	const R c = cos(turned), s = sin(turned);
	const int from = batch * x_outer + token * x_inner + column;
	const int to = batch * out_outer + token * out_inner + column;
	const R first = LOAD(x, from), second = LOAD(x, from + half_width);

	STORE(out, to, first * c - second * s);
	STORE(out, to + half_width, second * c + first * s);
}

/* x is of type U. */
KERNEL sinusoid(const int n, OUT(T_TYPE, out), IN(U_TYPE, x), IN(R, frequency),
    const int half_width)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	PLACE(frequency);
	const int row = i / half_width, k = i % half_width;
	const R turned = angle(LOAD_U(x, row), frequency[2 * k], frequency[2 * k + 1]);

	STORE(out, row * 2 * half_width + k, cos(turned));
	STORE(out, row * 2 * half_width + half_width + k, sin(turned));
}

/* bucket[far + 1 + far] has the buckets of the distances -far ... far; larger ones are clamped. */
KERNEL relative(const int n, OUT(T_TYPE, out), IN(T_TYPE, table), IN(int, bucket),
    const int heads, const int tokens, const int columns, const int out_head,
    const int out_row, const int far_away, const int cached, PAST_ARGUMENTS)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(table);
	PLACE(bucket);
	const int column = i % columns, token = i / columns % tokens;
	const int head = i / columns / tokens;
	const int past = PAST;
	int distance = column - (past + token);

	if (cached && column >= past + tokens)
		return;
	distance = distance < -far_away ? -far_away : distance;
	distance = distance > far_away ? far_away : distance;
	STORE(out, (long)head * out_head + (long)token * out_row + column,
	    LOAD(table, bucket[far_away + distance] * heads + head));
}

/*
 * One channel of one sample per work-item, token by token, with its STATES states in registers.
 * The state h is of type U. Each tensor [b,t,...] is followed by the strides of b and t.
 */
KERNEL scan(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, delta), IN(T_TYPE, decay),
    IN(T_TYPE, input), IN(T_TYPE, output), IN(T_TYPE, skip), IN(T_TYPE, bias), OUT(U_TYPE, h),
    const int channels, const int tokens, const int out_outer, const int out_inner,
    const int x_outer, const int x_inner, const int delta_outer, const int delta_inner,
    const int input_outer, const int input_inner, const int output_outer,
    const int output_inner, PAST_ARGUMENTS)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	PLACE(delta);
	PLACE(decay);
	PLACE(input);
	PLACE(output);
	PLACE(skip);
	PLACE(bias);
	PLACE(h);
	const int c = i % channels, b = i / channels;
	const R through = LOAD(skip, c), shift = LOAD(bias, c);
	R state[STATES], rate[STATES];

	const int past = PAST;

	h += (long)i * STATES;
	for (int s = 0; s < STATES; s++) {
		state[s] = past ? LOAD_U(h, s) : 0;
		rate[s] = -exp(LOAD(decay, c * STATES + s));
	}
	for (int t = 0; t < tokens; t++) {
		const R value = LOAD(x, b * x_outer + t * x_inner + c);
		const R step =
		    act(LOAD(delta, b * delta_outer + t * delta_inner + c) + shift, 8);
		R sum = through * value;

		for (int s = 0; s < STATES; s++) {
			const R in = LOAD(input, b * input_outer + t * input_inner + s);

			state[s] = exp(rate[s] * step) * state[s] + step * in * value;
			sum +=
			    state[s] * LOAD(output, b * output_outer + t * output_inner + s);
		}
		STORE(out, b * out_outer + t * out_inner + c, sum);
	}
	for (int s = 0; s < STATES; s++)
		STORE_U(h, s, state[s]);
}

KERNEL causal_conv(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, weight),
    IN(T_TYPE, bias), const int channels, const int tokens, const int kernel_size,
    const int out_outer, const int out_inner, const int x_outer, const int x_inner,
    const int kind, PAST_ARGUMENTS)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	PLACE(weight);
	PLACE(bias);
	const int c = i % channels, t = i / channels % tokens, b = i / channels / tokens;
	const int past = PAST;
	R sum = bias ? LOAD(bias, c) : 0;

	for (int k = 0; k < kernel_size; k++)
		sum += LOAD(weight, c * kernel_size + k) *
		    LOAD(x, b * x_outer + (past + t + k) * x_inner + c);
	STORE(out, b * out_outer + t * out_inner + c, act(sum, kind));
}
