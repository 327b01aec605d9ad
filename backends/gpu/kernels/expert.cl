/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mixtures of experts, and the largest elements of rows.
 */

/* Returns whether element i, which is x, comes before element j, which is y. */
FUNCTION int comes_before(const R x, const int i, const R y, const int j)
{
	return is_larger(x, y) || (!is_larger(y, x) && i < j);
}

/* One token per work-item: largest first, the lower number first among equal ones. */
KERNEL route(const int n, OUT(T_TYPE, weight), OUT(int, expert), IN(T_TYPE, x),
    const int experts, const int k, const int renormalise)
{
	const int token = GROUP_ID * GROUP + LOCAL_ID;

	if (token >= n)
		return;
	PLACE(weight);
	PLACE(expert);
	PLACE(x);
	x += (long)token * experts;
	weight += (long)token * k;
	expert += (long)token * k;
	R most = -INFINITY, all = 0, chosen = 0;

	for (int e = 0; e < experts; e++)
		most = is_larger(LOAD(x, e), most) ? LOAD(x, e) : most;
	for (int e = 0; e < experts; e++)
		all += exp(LOAD(x, e) - most);
	R last_value = 0;
	int last = -1;
	for (int j = 0; j < k; j++) {
		R best = -INFINITY;
		int place = -1;

		for (int e = 0; e < experts; e++) {
			const R value = LOAD(x, e);

			if ((last < 0 || comes_before(last_value, last, value, e)) &&
			    (place < 0 || is_larger(value, best))) {
				best = value;
				place = e;
			}
		}
		expert[j] = place;
		chosen += exp(best - most);
		last_value = best;
		last = place;
	}
	for (int j = 0; j < k; j++)
		STORE(weight, j,
		    exp(LOAD(x, expert[j]) - most) / (renormalise ? chosen : all));
}

KERNEL combine(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, weight),
    IN(T_TYPE, other), const int columns, const int k)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	if (i >= n)
		return;
	PLACE(out);
	PLACE(x);
	PLACE(weight);
	PLACE(other);
	const int token = i / columns, column = i % columns;
	R sum = other ? LOAD(other, i) : 0;

	for (int j = 0; j < k; j++)
		sum += LOAD(weight, token * k + j) *
		    LOAD(x, (long)(token * k + j) * columns + column);
	STORE(out, i, sum);
}

/*
 * A group has a row of x[rows,n]. It is scanned k times, for the largest element that comes after
 * the last one found.
 */
KERNEL topk(const int rows, OUT(T_TYPE, out), OUT(int, index), IN(T_TYPE, x), const int n,
    const int k)
{
	SHARED R room[ROW_GROUP];
	SHARED int place_room[ROW_GROUP];
	const int wanted = IF_MINE(rows, k);
	R last_value = 0;
	int last = -1;

	PLACE(out);
	PLACE(index);
	PLACE(x);
	x += (long)GROUP_ID * n;
	for (int j = 0; j < wanted; j++) {
		R best = -INFINITY;
		int place = n;

		FOR_SHARE(i, n)
		{
			const R value = LOAD(x, i);

			if ((last < 0 || comes_before(last_value, last, value, i)) &&
			    (place == n || is_larger(value, best))) {
				best = value;
				place = i;
			}
		}
		BARRIER;
		room[LOCAL_ID] = best;
		place_room[LOCAL_ID] = place;
		BARRIER;
		for (int half_way = ROW_GROUP / 2; half_way > 0; half_way /= 2) {
			if (LOCAL_ID < half_way) {
				const R value = room[LOCAL_ID + half_way];
				const int where = place_room[LOCAL_ID + half_way];

				if (where < n &&
				    (place_room[LOCAL_ID] == n ||
				        comes_before(value, where, room[LOCAL_ID], place_room[LOCAL_ID]))) {
					room[LOCAL_ID] = value;
					place_room[LOCAL_ID] = where;
				}
			}
			BARRIER;
		}
		last_value = room[0];
		last = place_room[0];
		if (LOCAL_ID == 0) {
			index[GROUP_ID * k + j] = last;
			if (out)
				STORE(out, GROUP_ID * k + j, LOAD(x, last));
		}
	}
}

/*
 * Writes the rows sorted by expert, order[rows], and the start of each expert's rows,
 * start[experts + 1]. A group has an expert. It finds the expert's rows, and counts those of
 * earlier experts; each work-item has adjacent rows.
 */
KERNEL experts_order(const int experts, OUT(int, order), OUT(int, start), IN(int, expert),
    const int rows)
{
	SHARED int equal_room[ROW_GROUP], less_room[ROW_GROUP];
	const int n = IF_MINE(experts, rows), each = (n + ROW_GROUP - 1) / ROW_GROUP;
	const int from = LOCAL_ID * each, to = from + each < n ? from + each : n;
	int equal = 0, less = 0;

	PLACE(order);
	PLACE(start);
	PLACE(expert);
	for (int r = from; r < to; r++) {
		equal += expert[r] == GROUP_ID;
		less += expert[r] < GROUP_ID;
	}
	equal_room[LOCAL_ID] = equal;
	less_room[LOCAL_ID] = less;
	BARRIER;
	for (int by = 1; by < ROW_GROUP; by *= 2) {
		const int equal_before = LOCAL_ID >= by ? equal_room[LOCAL_ID - by] : 0;
		const int less_before = LOCAL_ID >= by ? less_room[LOCAL_ID - by] : 0;

		BARRIER;
		equal_room[LOCAL_ID] += equal_before;
		less_room[LOCAL_ID] += less_before;
		BARRIER;
	}
	int at = less_room[ROW_GROUP - 1] + equal_room[LOCAL_ID] - equal;

	if (LOCAL_ID == 0 && GROUP_ID < experts)
		start[GROUP_ID] = at;
	if (LOCAL_ID == 0 && GROUP_ID == experts - 1)
		start[experts] = rows;
	for (int r = from; r < to; r++)
		if (expert[r] == GROUP_ID)
			order[at++] = r;
}
