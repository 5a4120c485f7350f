import { advisoryLocks } from '#database/advisory-locks.ts'

/**
 * The record in PostgreSQL: one table, one function, one lock. Positions have no gaps and follow the order of commits,
 * because the lock is held to the end of the transaction and `max(position)` is read in a statement of its own after it.
 * Bytes are kept as text: what is stored is what is hashed.
 */
export const schemaSql = `
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
-- keeps its own outcome: it was written where \`actual\`, the revision its stream had, is the expected one, and those
-- that were written follow \`head\` in their order. The caller never puts two appends to one stream into one call.
-- A database that was made with an earlier function, es.append, keeps it for copies of the application that still run:
-- it takes the same lock. The plans are made once a connection: with arrays at hand PostgreSQL would plan anew in every call.
create or replace function es.append_group(
  a_stream text[], a_expected bigint[],
  e_append int[], e_revision bigint[], e_id uuid[], e_type text[], e_data text[], e_metadata text[],
  out head bigint, out actual bigint[]
) language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform pg_advisory_xact_lock(${advisoryLocks.append});
  head := coalesce((select max(e.position) from es.events e), 0);
  actual := array(
    select coalesce((select max(e.revision) from es.events e where e.stream = a.stream), -1)
    from unnest(a_stream) with ordinality a(stream, nr)
    order by a.nr);
  insert into es.events (position, stream, revision, event_id, type, data, metadata)
  select head + row_number() over (order by e.nr), a_stream[e.append], e.revision, e.id, e.type, e.data, e.metadata
  from unnest(e_append, e_revision, e_id, e_type, e_data, e_metadata)
    with ordinality e(append, revision, id, type, data, metadata, nr)
  where a_expected[e.append] = actual[e.append];
end $$;

create or replace function es.refuse() returns trigger language plpgsql as $$
begin
  raise exception 'the record is append-only' using errcode = '0A000';
end $$;

create or replace trigger append_only before update or delete or truncate on es.events
  for each statement execute function es.refuse();
`
