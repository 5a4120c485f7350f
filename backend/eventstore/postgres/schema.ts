import { advisoryLocks } from '#database/advisory-locks.ts'

/**
 * SQL of the event store in PostgreSQL: one table, two functions, one lock. Positions have no gaps and follow commit order,
 * because the lock is held to the end of the transaction and `max(position)` is read in a later, separate statement.
 * Data and metadata are text: the stored bytes are the hashed bytes.
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

-- Appends several streams in one call: one lock, one insert, one commit. Each append has its own outcome: it was written
-- where \`actual\`, the revision its stream had, equals the expected one; written events follow \`head\` in order. The
-- caller never passes two appends to one stream in one call. The function runs as the owner of the events: the
-- application's role can append, but not insert at a position of its choice, update or delete. A database created with an earlier function, es.append, keeps
-- it for instances that still run: it takes the same lock. Generic plans are created once per connection: with array
-- parameters PostgreSQL would otherwise plan every call. A single event, as one user sends it, has statements of its own:
-- beginning those for arrays takes as long as all else.
create or replace function es.append_group(
  a_stream text[], a_expected bigint[],
  e_append int[], e_revision bigint[], e_id uuid[], e_type text[], e_data text[], e_metadata text[],
  out head bigint, out actual bigint[]
) language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  a_actual bigint;
begin
  perform pg_advisory_xact_lock(${advisoryLocks.append});
  if array_length(e_append, 1) = 1 and array_length(a_stream, 1) = 1 then
    select
      coalesce((select max(e.position) from es.events e), 0),
      coalesce((select max(e.revision) from es.events e where e.stream = a_stream[1]), -1)
      into head, a_actual;
    actual := array[a_actual];
    if a_actual = a_expected[1] then
      insert into es.events (position, stream, revision, event_id, type, data, metadata)
      values (head + 1, a_stream[1], e_revision[1], e_id[1], e_type[1], e_data[1], e_metadata[1]);
    end if;
    return;
  end if;
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

-- As es.append_group, for appends of which some belong together: those with the same number in a_unit are written only if each
-- of their streams has the expected revision. A stream without events is only compared. A stream that one unit writes is named
-- by none after it.
create or replace function es.append_together(
  a_stream text[], a_expected bigint[], a_unit int[],
  e_append int[], e_revision bigint[], e_id uuid[], e_type text[], e_data text[], e_metadata text[],
  out head bigint, out actual bigint[]
) language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  refused int[] := '{}';
begin
  perform pg_advisory_xact_lock(${advisoryLocks.append});
  head := coalesce((select max(e.position) from es.events e), 0);
  actual := array(
    select coalesce((select max(e.revision) from es.events e where e.stream = a.stream), -1)
    from unnest(a_stream) with ordinality a(stream, nr)
    order by a.nr);
  if actual <> a_expected then
    refused := array(
      select a.unit from unnest(a_unit, a_expected, actual) a(unit, expected, actual) where a.expected <> a.actual);
  end if;
  insert into es.events (position, stream, revision, event_id, type, data, metadata)
  select head + row_number() over (order by e.nr), a_stream[e.append], e.revision, e.id, e.type, e.data, e.metadata
  from unnest(e_append, e_revision, e_id, e_type, e_data, e_metadata)
    with ordinality e(append, revision, id, type, data, metadata, nr)
  where a_unit[e.append] <> all (refused);
end $$;

create or replace function es.reject_mutation() returns trigger language plpgsql as $$
begin
  raise exception 'events are append-only' using errcode = '0A000';
end $$;

create or replace trigger append_only before update or delete or truncate on es.events
  for each statement execute function es.reject_mutation();
`
