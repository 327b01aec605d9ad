/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decision trees. A group has a row of features; each of its work-items takes other trees
 * from their roots to a leaf.
 */

/* Returns the place of the leaf that a row reaches from node `at`. */
FUNCTION int tree_leaf(
    GLOBAL const T_TYPE *x, GLOBAL const int *node, GLOBAL const T_TYPE *threshold, int at)
{
	while (node[2 * at] >= 0) {
		const int branch = node[2 * at];
		const R value = LOAD(x, branch >> 3), y = LOAD(threshold, at);
		int passes = value == y;

		if ((branch & 3) == 0)
			passes = value <= y;
		if ((branch & 3) == 1)
			passes = value < y;
		if (value != value)
			passes = branch & 4;
		at = passes ? at + 1 : node[2 * at + 1];
	}
	return at;
}

/* Returns the sum of the entries of a leaf for a target. */
FUNCTION R leaf_sum(GLOBAL const int *leaf, GLOBAL const int *target,
    GLOBAL const T_TYPE *weight, const int wanted)
{
	const int end = leaf[1] - 1 - leaf[0];
	R sum = 0;

	for (int e = leaf[1]; e < end; e++)
		if (target[e] == wanted)
			sum += LOAD(weight, e);
	return sum;
}

/* Trees with one target. */
KERNEL trees_of_one(const int rows, OUT(T_TYPE, out), IN(T_TYPE, x), IN(int, node),
    IN(T_TYPE, threshold), IN(int, target), IN(T_TYPE, weight), IN(int, root),
    const int features, const int trees, const R alpha)
{
	SHARED R room[ROW_GROUP];
	const int wanted = IF_MINE(rows, trees);
	R sum = 0;

	PLACE(out);
	PLACE(x);
	PLACE(node);
	PLACE(threshold);
	PLACE(target);
	PLACE(weight);
	PLACE(root);
	x += (long)GROUP_ID * features;
	for (int i = LOCAL_ID; i < wanted; i += ROW_GROUP)
		sum += leaf_sum(
		    node + 2 * tree_leaf(x, node, threshold, root[i]), target, weight, 0);
	sum = group_sum(sum, room);
	if (LOCAL_ID == 0 && wanted > 0)
		STORE(out, GROUP_ID, alpha * sum);
}

/*
 * Trees with any number of targets. The leaves of ROW_GROUP trees are found at a time; then
 * each work-item adds their entries for a target of its own.
 */
KERNEL trees_of_many(const int rows, OUT(T_TYPE, out), IN(T_TYPE, x), IN(int, node),
    IN(T_TYPE, threshold), IN(int, target), IN(T_TYPE, weight), IN(int, root),
    const int features, const int trees, const R alpha, const int targets)
{
	SHARED int leaf[ROW_GROUP];
	const int wanted = IF_MINE(rows, targets);

	PLACE(out);
	PLACE(x);
	PLACE(node);
	PLACE(threshold);
	PLACE(target);
	PLACE(weight);
	PLACE(root);
	x += (long)GROUP_ID * features;
	for (int first = 0; first < wanted; first += ROW_GROUP) {
		const int mine = first + LOCAL_ID;
		R sum = 0;

		for (int tree = 0; tree < trees; tree += ROW_GROUP) {
			const int many =
			    trees - tree < ROW_GROUP ? trees - tree : ROW_GROUP;

			BARRIER;
			if (LOCAL_ID < many)
				leaf[LOCAL_ID] =
				    tree_leaf(x, node, threshold, root[tree + LOCAL_ID]);
			BARRIER;
			if (mine < wanted)
				for (int i = 0; i < many; i++)
					sum += leaf_sum(
					    node + 2 * leaf[i], target, weight, mine);
		}
		if (mine < wanted)
			STORE(out, GROUP_ID * wanted + mine, alpha * sum);
	}
}
