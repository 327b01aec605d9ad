/*
 * The driver for PostgreSQL. A query is run as it stands the first time and prepared the
 * second, so that what is asked once costs one way to the server and back. Inserted rows
 * collect in memory, and COPY brings them straight into the tables of the transaction: what
 * a staging table would sort out is known by then, since the runs are locked.
 *
 * A connection that is lost is made again at the beginning of a transaction, after pauses
 * that double, as long as one may wait for a lock. Opened for later (DB_LATER), a server
 * that is out of reach is a failure of the first transaction, not of the opening.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/db_pq.h"
#include "record/factors.h"
#include "db/pq_text.h"

enum { COPY_BYTES = 8 << 20, FETCH_BYTES = 1 << 20, FETCH_FIRST = 32 };
enum { PAUSE_LEAST_NS = 10000000, PAUSE_MOST_NS = 1000000000 };

struct value {
	struct buf text;
	bool given, binary;
};

struct server_query {
	struct query query;
	char *sql;
	char name[16]; /* prepared under this, unless it is empty */
	bool ran;
	struct value *value;
	int values;
	struct pq_answer *description, *answer;
	int row; /* the next one of the answer */
	bool many;
	char cursor[16];  /* the answer comes from this, unless it is empty ... */
	int fetched;      /* ... with so many rows at most */
	unsigned within;  /* which of the server's transactions it is of */
	struct buf *made; /* by column: text that is not as the server has it */
	int columns;
	/* of rows to be inserted */
	bool inserts;
	struct buf copy;
	struct server_query *next;
};

static struct server *server_of(const struct db *db)
{
	return (struct server *)db;
}

static struct server_query *query_of(struct query *q)
{
	return (struct server_query *)q;
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* What every failed call ends with. */
static int failed(struct server *s, struct fault *f)
{
	struct fault why = *f;

	s->db.trouble = s->failure == PQ_WRONG ? DB_FAILED : DB_LOCKED;
	if (s->failure == PQ_LOCKED)
		fault_set(f,
		    "%s: locked by another program for more than %g s (--wait says how "
		    "long to try)",
		    s->db.name, s->db.wait_ns / 1e9);
	else if (s->failure == PQ_LOST && s->pq)
		fault_set(f, "%.950s (the connection is lost)", why.text);
	return -1;
}

int server_exec(struct server *s, const char *sql, struct fault *f)
{
	struct pq_answer *a = pq_exec(s->pq, sql, &s->failure, f);

	if (!a)
		return failed(s, f);
	pq_free(a);
	return 0;
}

static int set_session(struct server *s, struct fault *f)
{
	double wait_ms = fmin(s->db.wait_ns / 1e6, 2e9);
	/* 0 would be no limit. */
	char *sql = str_format("SET lock_timeout = %.0f; SET bytea_output = 'hex';"
	                       "SET extra_float_digits = 1; SET DateStyle = 'ISO';"
	                       "SET standard_conforming_strings = on%s",
	    fmax(wait_ms, 1),
	    s->flags & DB_READ ? "; SET default_transaction_read_only = on" : "");
	int status = server_exec(s, sql, f);

	free(sql);
	return status;
}

static int connect(struct server *s, struct fault *f)
{
	double left_s =
	    (s->retry_until_ns ? s->retry_until_ns - now_ns() : s->db.wait_ns) / 1e9;

	pq_close(s->pq);
	s->inserts = NULL;
	s->last_insert = &s->inserts;
	s->pq = pq_open(s->url, s->db.name, (int)fmin(fmax(left_s, 2), 30), &s->failure, f);
	if (!s->pq)
		return failed(s, f);
	return set_session(s, f);
}

/* Pause, if there is time left for it since the first try, which began then. */
static bool pause_for_next(struct server *s, double began_ns)
{
	double now = now_ns(), ns;
	struct timespec pause;

	if (!s->retry_until_ns) {
		s->retry_until_ns = began_ns + s->db.wait_ns;
		s->pause_ns = PAUSE_LEAST_NS;
		srand48((long)now);
	}
	if (now >= s->retry_until_ns)
		return false;
	/* Two that clashed must not come back at the same time. */
	ns = s->pause_ns * (0.5 + drand48());
	ns = fmin(ns, s->retry_until_ns - now);
	pause.tv_sec = (time_t)(ns / 1e9);
	pause.tv_nsec = (long)fmod(ns, 1e9);
	nanosleep(&pause, NULL);
	s->pause_ns = fmin(2 * s->pause_ns, PAUSE_MOST_NS);
	return true;
}

/* Connect, again and again while the server is out of reach. */
static int reach(struct server *s, struct fault *f)
{
	double began_ns = now_ns();

	while (connect(s, f) < 0)
		if (s->failure != PQ_LOST || !pause_for_next(s, began_ns))
			return -1;
	return 0;
}

static bool again(struct db *db)
{
	struct server *s = server_of(db);
	struct fault ignored;

	if ((s->failure != PQ_LOST && s->failure != PQ_CLASHED) ||
	    !pause_for_next(s, now_ns()))
		return false;
	return s->failure == PQ_CLASHED || reach(s, &ignored) == 0;
}

static bool takes(const char *name)
{
	return strncmp(name, "postgresql://", 13) == 0 ||
	       strncmp(name, "postgres://", 11) == 0;
}

static void server_close(struct db *db)
{
	struct server *s = server_of(db);

	pq_close(s->pq);
	free(s->schema.ptr);
	free(s->url);
	free(db->name);
	free(db);
}

static struct server *server_new(const char *url, int flags, double wait_ns)
{
	struct server *s = mem_zero(1, sizeof(*s));

	*s = (struct server){ .db = { .driver = &db_postgresql,
		                  .name = pq_name(url),
		                  .wait_ns = wait_ns },
		.url = str_copy(url),
		.flags = flags,
		.last_insert = &s->inserts };
	return s;
}

static int bring(struct server *s, struct fault *f)
{
	int status = server_bring(s, (struct text){ s->schema.ptr, s->schema.len }, f);

	s->brought = status == 0;
	if (status == 0 && s->flags & DB_READ)
		s->guarded = true;
	return status;
}

static struct db *server_open(
    const char *name, int flags, struct text schema, double wait_ns, struct fault *f)
{
	struct server *s = server_new(name, flags, wait_ns);
	int status;

	buf_text(&s->schema, schema);
	do
		status = reach(s, f) < 0 || bring(s, f) < 0 ? -1 : 0;
	while (status < 0 && again(&s->db));
	if (status == 0)
		s->retry_until_ns = 0;
	if (status == 0 || (s->failure == PQ_LOST && flags & DB_LATER))
		return &s->db;
	server_close(&s->db);
	return NULL;
}

/* Said when it cannot be found out, so that opening says why. */
static bool exists(const char *name)
{
	struct server *s = server_new(name, DB_READ, 0);
	struct fault ignored;
	bool has = connect(s, &ignored) == 0 && server_has_schema(s, &ignored) > 0;

	server_close(&s->db);
	return has;
}

static int begin_as(struct server *s, const char *sql, struct fault *f)
{
	if (!s->pq && reach(s, f) < 0)
		return -1;
	if (!s->brought && bring(s, f) < 0)
		return -1;
	return server_exec(s, sql, f);
}

static int begin(struct db *db, struct fault *f)
{
	return begin_as(server_of(db), "BEGIN", f);
}

static void rollback(struct db *db)
{
	struct server *s = server_of(db);
	enum pq_failure kept = s->failure;
	struct fault ignored;

	for (struct server_query *q = s->inserts; q; q = q->next)
		q->copy.len = 0;
	if (s->pq && pq_in_transaction(s->pq))
		pq_free(pq_exec(s->pq, "ROLLBACK", &s->failure, &ignored));
	s->failure = kept;
	s->reading = false;
	s->transactions++;
}

static int begin_reading(struct db *db, struct fault *f)
{
	struct server *s = server_of(db);
	int status;

	rollback(db); /* the one that reads under guard */
	status = begin_as(s, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", f);
	s->reading = status == 0;
	return status;
}

static void put_big_endian(struct buf *out, uint64_t n, int bytes)
{
	while (bytes-- > 0)
		buf_byte(out, (char)(n >> 8 * bytes));
}

static int copy_rows(struct server *s, struct server_query *q, struct fault *f)
{
	struct pq_answer *a;

	if (!q->copy.len)
		return 0;
	put_big_endian(&q->copy, UINT64_MAX, 2); /* the end */
	a = pq_copy(
	    s->pq, q->sql, (struct text){ q->copy.ptr, q->copy.len }, &s->failure, f);
	q->copy.len = 0;
	if (!a)
		return failed(s, f);
	pq_free(a);
	return 0;
}

static int flush(struct db *db, struct fault *f)
{
	struct server *s = server_of(db);

	for (struct server_query *q = s->inserts; q; q = q->next)
		if (copy_rows(s, q, f) < 0)
			return -1;
	return 0;
}

static int commit(struct db *db, struct fault *f)
{
	struct server *s = server_of(db);

	if (flush(db, f) < 0 || server_exec(s, "COMMIT", f) < 0)
		return -1;
	s->retry_until_ns = 0;
	s->transactions++;
	return 0;
}

static int exec(struct db *db, const char *sql, struct fault *f)
{
	return server_exec(server_of(db), sql, f);
}

static bool guard(struct db *db, bool on)
{
	bool was = server_of(db)->guarded;

	server_of(db)->guarded = on;
	return was;
}

static struct server_query *new_query(struct db *db, char *sql)
{
	struct server_query *q = mem_zero(1, sizeof(*q));

	*q = (struct server_query){ .query.db = db, .sql = sql };
	return q;
}

/* Those of transactions that have ended are gone. */
static void close_cursor(struct server_query *q)
{
	struct server *s = server_of(q->query.db);
	enum pq_failure ignored;
	struct fault why;

	if (*q->cursor && q->within == s->transactions && s->pq &&
	    pq_in_transaction(s->pq)) {
		char *sql = str_format("CLOSE %s", q->cursor);

		pq_free(pq_exec(s->pq, sql, &ignored, &why));
		free(sql);
	}
	*q->cursor = '\0';
}

static void close_query(struct query *query)
{
	struct server_query *q = query_of(query);
	struct server *s = server_of(query->db);

	for (struct server_query **p = &s->inserts; *p; p = &(*p)->next)
		if (*p == q) {
			*p = q->next;
			if (s->last_insert == &q->next)
				s->last_insert = p;
			break;
		}
	close_cursor(q);
	for (int i = 0; i < q->values; i++)
		buf_free(&q->value[i].text);
	for (int i = 0; i < q->columns; i++)
		buf_free(&q->made[i]);
	pq_free(q->description);
	pq_free(q->answer);
	buf_free(&q->copy);
	free(q->value);
	free(q->made);
	free(q->sql);
	free(q);
}

static int prepare(struct server_query *q, struct fault *f)
{
	struct server *s = server_of(q->query.db);

	if (*q->name)
		return 0;
	snprintf(q->name, sizeof(q->name), "q%u", ++s->statements);
	q->description = pq_prepare(s->pq, q->name, q->sql, &s->failure, f);
	return q->description ? 0 : failed(s, f);
}

/*
 * Under guard: a statement that begins as one that reads, and is known to the server before
 * it runs, in a transaction in which nothing can be written. A SELECT can still call
 * functions; what they write is refused then.
 */
static int check_reading(struct server_query *q, struct text statement, struct fault *f)
{
	struct server *s = server_of(q->query.db);

	if (!pq_text_reads(statement))
		return fault_set(f,
		    "%s: refused, it does more than read (bench-store sql -w writes)",
		    s->db.name);
	if (!pq_in_transaction(s->pq)) {
		if (server_exec(s, "BEGIN READ ONLY", f) < 0)
			return -1;
		s->reading = true;
	}
	return prepare(q, f);
}

static struct query *query_next_of(
    struct db *db, const char **sql, bool *end, struct fault *f)
{
	struct server *s = server_of(db);
	struct text statement = pq_text_statement(sql);
	struct server_query *q;
	struct buf clean = { 0 };

	*end = !statement.len;
	if (*end)
		return NULL;
	pq_text_encode(&clean, statement);
	q = new_query(db, clean.ptr);
	if (!s->guarded || check_reading(q, statement, f) == 0)
		return &q->query;
	close_query(&q->query);
	return NULL;
}

/*
 * The binary format, because making and reading numbers as text took more than all else.
 * Texts for a column of jsonb have the version of its format before them.
 */
static struct query *insert(
    struct db *db, const char *table, const char *columns, int count, struct fault *f)
{
	struct server *s = server_of(db);
	char *types = str_format("SELECT %s FROM %s LIMIT 0", columns, table);
	struct pq_answer *a = pq_exec(s->pq, types, &s->failure, f);
	struct server_query *q;

	free(types);
	if (!a) {
		failed(s, f);
		return NULL;
	}
	q = new_query(
	    db, str_format("COPY %s (%s) FROM STDIN (FORMAT binary)", table, columns));
	q->description = a;
	q->inserts = true;
	q->values = count;
	q->value = mem_zero((size_t)count, sizeof(*q->value));
	*s->last_insert = q;
	s->last_insert = &q->next;
	return &q->query;
}

static int ids(struct db *db, const char *table, const char *column, size_t count,
    int64_t *id, struct fault *f)
{
	struct server *s = server_of(db);
	char *sql = str_format("SELECT nextval(s) FROM (SELECT"
	                       " pg_get_serial_sequence('%s', '%s')::regclass AS s"
	                       " OFFSET 0) AS one, generate_series(1, %zu)",
	    table, column, count);
	struct pq_answer *a = pq_exec(s->pq, sql, &s->failure, f);

	free(sql);
	if (!a)
		return failed(s, f);
	for (size_t i = 0; i < count; i++)
		id[i] = strtoll(pq_text(a, (int)i, 0).ptr, NULL, 10);
	pq_free(a);
	return 0;
}

/* The value at $at, from 1, empty. */
static struct buf *value_at(struct query *query, int at)
{
	struct server_query *q = query_of(query);

	if (at > q->values) {
		q->value = mem_resize(q->value, (size_t)at, sizeof(*q->value));
		memset(
		    q->value + q->values, 0, (size_t)(at - q->values) * sizeof(*q->value));
		q->values = at;
	}
	q->value[at - 1].given = true;
	q->value[at - 1].binary = false;
	q->value[at - 1].text.len = 0;
	buf_put(&q->value[at - 1].text, "", 0);
	return &q->value[at - 1].text;
}

static void bind_text(struct query *query, int at, struct text t)
{
	struct server_query *q = query_of(query);
	struct buf *value = value_at(query, at);

	if (q->inserts && pq_type(q->description, at - 1) == PQ_JSON)
		buf_byte(value, 1);
	pq_text_encode(value, t);
}

static void bind_bytes(struct query *q, int at, struct text bytes)
{
	buf_text(value_at(q, at), bytes);
	query_of(q)->value[at - 1].binary = true;
}

static void bind_integer(struct query *q, int at, int64_t n)
{
	struct buf *value = value_at(q, at);

	if (query_of(q)->inserts)
		put_big_endian(value, (uint64_t)n, sizeof(n));
	else
		buf_printf(value, "%" PRId64, n);
}

static void bind_number(struct query *q, int at, double x)
{
	struct buf *value = value_at(q, at);
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	if (query_of(q)->inserts)
		put_big_endian(value, bits, sizeof(bits));
	else
		buf_printf(value, "%.17g", x);
	query_of(q)->value[at - 1].given = !isnan(x);
}

static int describe(struct server_query *q)
{
	struct fault ignored;

	return q->answer ? 0 : prepare(q, &ignored);
}

static int placeholders(struct query *query)
{
	struct server_query *q = query_of(query);

	describe(q);
	return q->description ? pq_placeholders(q->description) : 0;
}

static const struct pq_answer *columns_of(struct query *query)
{
	struct server_query *q = query_of(query);

	describe(q);
	return q->answer ? q->answer : q->description;
}

static int columns(struct query *query)
{
	const struct pq_answer *a = columns_of(query);

	return a ? pq_columns(a) : 0;
}

static const char *column_name(struct query *query, int column)
{
	return pq_column(columns_of(query), column);
}

static void rewind_query(struct query *query)
{
	struct server_query *q = query_of(query);

	close_cursor(q);
	pq_free(q->answer);
	q->answer = NULL;
}

/* The next rows of a cursor, as many as the last ones let fit; no answer when it fails. */
static void fetch(struct server_query *q, struct fault *f)
{
	enum { MOST = 100000 };
	struct server *s = server_of(q->query.db);
	double fit = FETCH_FIRST;
	char *sql;

	if (q->answer)
		fit = (double)q->fetched * FETCH_BYTES / ((double)pq_size(q->answer) + 1);
	pq_free(q->answer);
	q->fetched = (int)fmin(fmax(fit, 1), MOST);
	q->row = 0;
	sql = str_format("FETCH %d FROM %s", q->fetched, q->cursor);
	q->answer = pq_exec(s->pq, sql, &s->failure, f);
	free(sql);
}

static void open_cursor(
    struct server_query *q, const struct pq_value *value, struct fault *f)
{
	struct server *s = server_of(q->query.db);
	struct pq_answer *a;
	char *sql;

	snprintf(q->cursor, sizeof(q->cursor), "c%u", ++s->statements);
	q->within = s->transactions;
	sql = str_format("DECLARE %s NO SCROLL CURSOR FOR %s", q->cursor, q->sql);
	a = pq_query(s->pq, sql, value, q->values, &s->failure, f);
	free(sql);
	pq_free(a);
	if (a)
		fetch(q, f);
	else
		*q->cursor = '\0';
}

static int run(struct server_query *q, struct fault *f)
{
	struct server *s = server_of(q->query.db);
	struct pq_value *value = mem_zero((size_t)q->values + 1, sizeof(*value));

	for (int i = 0; i < q->values; i++)
		if (q->value[i].given)
			value[i] = (struct pq_value){ q->value[i].text.ptr,
				q->value[i].text.len, q->value[i].binary };
	if (q->many && s->reading && pq_text_selects(text_of(q->sql)))
		open_cursor(q, value, f);
	else if (!q->ran && !*q->name)
		q->answer = pq_query(s->pq, q->sql, value, q->values, &s->failure, f);
	else if (prepare(q, f) == 0)
		q->answer = pq_run(s->pq, q->name, value, q->values, &s->failure, f);
	free(value);
	q->ran = true;
	q->row = 0;
	if (!q->answer)
		return failed(s, f);
	if (q->columns < pq_columns(q->answer)) {
		int count = pq_columns(q->answer);

		q->made = mem_resize(q->made, (size_t)count, sizeof(*q->made));
		memset(q->made + q->columns, 0,
		    (size_t)(count - q->columns) * sizeof(*q->made));
		q->columns = count;
	}
	return 0;
}

static int add_copy(struct server_query *q, struct fault *f)
{
	/* A signature, no flags, nothing more. */
	static const char header[] = "PGCOPY\n\377\r\n\0"
	                             "\0\0\0\0"
	                             "\0\0\0\0";
	struct server *s = server_of(q->query.db);
	size_t bytes = 0;

	if (!q->copy.len)
		buf_put(&q->copy, header, sizeof(header) - 1);
	put_big_endian(&q->copy, (uint64_t)q->values, 2);
	for (int i = 0; i < q->values; i++) {
		const struct value *v = &q->value[i];

		put_big_endian(&q->copy, v->given ? v->text.len : UINT64_MAX, 4);
		if (v->given)
			buf_put(&q->copy, v->text.ptr, v->text.len);
	}
	for (const struct server_query *i = s->inserts; i; i = i->next)
		bytes += i->copy.len;
	return bytes < COPY_BYTES ? 0 : flush(&s->db, f);
}

static int next(struct query *query, struct fault *f)
{
	struct server_query *q = query_of(query);

	if (q->inserts)
		return add_copy(q, f);
	if (!q->answer && run(q, f) < 0)
		return -1;
	if (q->row == pq_rows(q->answer) && *q->cursor && q->row == q->fetched)
		fetch(q, f);
	if (!q->answer)
		return failed(server_of(query->db), f);
	if (q->row < pq_rows(q->answer)) {
		q->row++;
		return 1;
	}
	rewind_query(query);
	return 0;
}

static void many(struct query *query)
{
	query_of(query)->many = true;
}

static struct text cell(struct query *query, int column)
{
	struct server_query *q = query_of(query);

	return pq_text(q->answer, q->row - 1, column);
}

/* What the server says is true is 1, as in SQLite. */
static enum query_type column_type(struct query *query, int column)
{
	struct server_query *q = query_of(query);

	if (pq_is_null(q->answer, q->row - 1, column))
		return QUERY_NULL;
	switch (pq_type(q->answer, column)) {
	case PQ_INTEGER:
	case PQ_BOOLEAN:
		return QUERY_INTEGER;
	case PQ_NUMBER:
		return QUERY_NUMBER;
	case PQ_NUMERIC:
		return strpbrk(cell(query, column).ptr, ".NI") ? QUERY_NUMBER
		                                               : QUERY_INTEGER;
	case PQ_BYTES:
		return QUERY_BYTES;
	default:
		return QUERY_TEXT;
	}
}

struct object {
	struct buf bytes;
	struct factor *factor;
	size_t count, cap;
};

/* The bytes move while they grow: until all are there, starts are lengths before them. */
static void collect(void *ctx, struct factor f)
{
	struct object *o = ctx;

	buf_text(&o->bytes, f.name);
	buf_text(&o->bytes, f.value);
	*VEC_ADD(o->factor, o->count, o->cap) = f;
}

/* The server has its own order and spaces; false when it is no object of texts. */
static bool canonical(struct buf *out, struct text json)
{
	struct object o = { 0 };
	bool good = factors_read(json, collect, &o);
	const char *p = o.bytes.ptr;

	for (size_t i = 0; i < o.count; i++) {
		o.factor[i].name.ptr = p;
		p += o.factor[i].name.len;
		o.factor[i].value.ptr = p;
		p += o.factor[i].value.len;
	}
	if (good)
		factors_write(out, o.factor, o.count);
	buf_free(&o.bytes);
	free(o.factor);
	return good;
}

static struct text text(struct query *query, int column)
{
	struct server_query *q = query_of(query);
	struct text t = cell(query, column);
	struct buf *made = &q->made[column];
	bool json = pq_type(q->answer, column) == PQ_JSON && t.len;

	if (!json && !pq_text_encoded(t))
		return t;
	made->len = 0;
	if (json && canonical(made, t))
		t = (struct text){ made->ptr, made->len };
	if (pq_text_encoded(t)) {
		struct buf decoded = { 0 };

		pq_text_decode(&decoded, t);
		buf_free(made);
		*made = decoded;
		t = (struct text){ made->ptr, made->len };
	}
	return t;
}

static struct text bytes(struct query *query, int column)
{
	struct buf *made = &query_of(query)->made[column];

	made->len = 0;
	pq_text_bytes(made, cell(query, column));
	return (struct text){ made->ptr ? made->ptr : "", made->len };
}

static int64_t integer(struct query *query, int column)
{
	const char *p = cell(query, column).ptr;

	return *p == 't' ? 1 : strtoll(p, NULL, 10);
}

static double number(struct query *query, int column)
{
	if (column_type(query, column) == QUERY_NULL)
		return (double)NAN;
	return strtod(cell(query, column).ptr, NULL);
}

/* By the name without a password, so that it may change in between. */
static char *spool(const struct db *db)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	uint64_t hash = text_hash(text_of(db->name), 0);

	if (state && *state)
		return str_format("%s/benchutils/postgresql-%016" PRIx64, state, hash);
	if (home && *home)
		return str_format(
		    "%s/.local/state/benchutils/postgresql-%016" PRIx64, home, hash);
	return NULL;
}

const struct db_driver db_postgresql = {
	.takes = takes,
	.exists = exists,
	.open = server_open,
	.close = server_close,
	.begin = begin,
	.begin_reading = begin_reading,
	.commit = commit,
	.rollback = rollback,
	.exec = exec,
	.guard = guard,
	.spool = spool,
	.pattern = pq_text_pattern,
	.query_next = query_next_of,
	.insert = insert,
	.flush = flush,
	.ids = ids,
	.again = again,
	.query_close = close_query,
	.bind_text = bind_text,
	.bind_copy = bind_text,
	.bind_bytes = bind_bytes,
	.bind_integer = bind_integer,
	.bind_number = bind_number,
	.placeholders = placeholders,
	.many = many,
	.next = next,
	.rewind = rewind_query,
	.columns = columns,
	.column_name = column_name,
	.column_type = column_type,
	.text = text,
	.bytes = bytes,
	.integer = integer,
	.number = number,
	.word = {
		[DB_VERSION] = "SELECT 'PostgreSQL ' || current_setting('server_version')",
		[DB_JOURNAL] = "SELECT 'wal'",
		[DB_SCHEMA] = "SELECT version FROM benchutils_schema",
		[DB_SIZE] = "SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class"
		            " WHERE relnamespace = current_schema()::regnamespace"
		            " AND relkind IN ('r', 'p')",
		[DB_GLOB] = "~",
		[DB_JOIN_TEXTS] = "string_agg",
		[DB_FOR_UPDATE] = " FOR UPDATE",
		[DB_SAME_SUBJECT] =
		    " AND md5(quote_literal(kind) || ',' || quote_literal(bench) || ','"
		    " || quote_literal(metric) || ',' || quote_literal(unit) || ','"
		    " || factors::text)::uuid = md5(quote_literal($5) || ',' ||"
		    " quote_literal($2) || ',' || quote_literal($3) || ',' ||"
		    " quote_literal($6) || ',' || $4::jsonb::text)::uuid",
		[DB_HAS_FACTOR] = "factors @> ('{' || % || '}')::jsonb",
		[DB_LACKS_FACTOR] = "NOT factors ?| ARRAY(SELECT jsonb_object_keys("
		                    "('{' || % || '\"\"}')::jsonb))",
		[DB_NOTHING] = "",
		/* Pages are checked where the server's checksums are on. */
		[DB_CHECK] = "SELECT 'row ' || result_id || ' of benchmark_results refers to"
		             " a row of benchmark_runs that is not there'"
		             " FROM benchmark_results AS r WHERE NOT EXISTS"
		             " (SELECT 1 FROM benchmark_runs AS b WHERE b.run_id = r.run_id)"
		             " UNION ALL SELECT 'row ' || result_id || ' of raw_benchmark_data"
		             " refers to a row of benchmark_results that is not there'"
		             " FROM raw_benchmark_data AS d WHERE NOT EXISTS (SELECT 1"
		             " FROM benchmark_results AS r WHERE r.result_id = d.result_id)",
		[DB_VACUUM] = "VACUUM (FULL, ANALYZE) benchmark_runs, benchmark_results,"
		              " raw_benchmark_data, hardware_info, run_tags",
	},
};
