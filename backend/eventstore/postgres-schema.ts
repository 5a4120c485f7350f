/**
 * The record in PostgreSQL: one table, one function, one lock. Positions have no gaps and follow the order of commits,
 * because the lock is held to the end of the transaction and `max(position)` is read in a statement of its own after it.
 * Bytes are kept as text: what is stored is what is hashed.
 */
export const schema = `
create schema if not exists es;

create table if not exists es.events (
  position    bigint primary key,
  stream      text collate "C" not null,
  revision    bigint not null,
  event_id    uuid not null constraint events_event_id unique,
  type        text collate "C" not null,
  data        text not null,
  metadata    text not null,
  recorded_at timestamptz not null default clock_timestamp(),
  constraint events_stream_revision unique (stream, revision));

-- Appends that wait while one is being written go together in the next call: one lock, one insert, one commit. Each
-- keeps its own outcome. The caller never puts two appends to one stream into one call.
create or replace function es.append(
  a_stream text[], a_expected bigint[],
  e_append int[], e_ord int[], e_ids uuid[], e_types text[], e_data text[], e_meta text[]
) returns table (append int, ok boolean, revision bigint, last_position bigint) language plpgsql as $$
#variable_conflict use_column
declare head bigint;
begin
  perform pg_advisory_xact_lock(7274331);
  select coalesce(max(e.position), 0) into head from es.events e;
  return query
  with wanted as (
    select u.ord::int as nr, u.s, u.x,
           coalesce((select max(e.revision) from es.events e where e.stream = u.s), -1) as cur
    from unnest(a_stream, a_expected) with ordinality u(s, x, ord)),
  good as (select * from wanted where x = cur),
  written as (
    insert into es.events (position, stream, revision, event_id, type, data, metadata)
    select head + row_number() over (order by q.a, q.o), g.s, g.cur + q.o, q.id, q.t, q.d, q.m
    from unnest(e_append, e_ord, e_ids, e_types, e_data, e_meta) q(a, o, id, t, d, m)
    join good g on g.nr = q.a
    returning stream as s, es.events.revision as v, position as p),
  ends as (select s, max(v) as v, max(p) as p from written group by s)
  select w.nr, g.nr is not null, coalesce(n.v, w.cur), n.p
  from wanted w
  left join good g on g.nr = w.nr
  left join ends n on n.s = w.s
  order by w.nr;
  perform pg_notify('es', '');
end $$;

create or replace function es.refuse() returns trigger language plpgsql as $$
begin
  raise exception 'the record is append-only' using errcode = '0A000';
end $$;

create or replace trigger append_only before update or delete or truncate on es.events
  for each statement execute function es.refuse();
`
