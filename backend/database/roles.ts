import type { ClientBase, Pool } from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { withTransaction } from './pool.ts'

/** The role of the application and its password, as in its connection address. */
export type ApplicationRole = { name: string; password: string }

/** Returns the role that a connection address names. */
export function parseRole(url: string): ApplicationRole {
  const { username, password } = new URL(url)
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) }
}

/** The schemas that the application creates and changes at run time. Stored events are in a schema of their own, `es`. */
const applicationSchemas = ['app', 'read', 'jobs']

/**
 * Gives the application its role, in which it can read and append events, and owns everything that it changes at run time.
 * Creates the role if it is missing. What an earlier version created as the owner is handed over. The pool belongs to the
 * owner of the events.
 */
export async function prepareApplicationRole(pool: Pool, { name, password }: ApplicationRole): Promise<void> {
  await withTransaction(pool, 'begin', async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.roles])
    await runStatements(client, createRoleSql, [name, password])
    await runStatements(client, grantsSql, [name])
    await runStatements(client, handOverSql, [name, applicationSchemas])
  })
}

/**
 * Returns whether a role, or that of the pool, can change or delete stored events; false when there are none in this
 * database.
 */
export async function canChangeEvents(pool: Pool, role?: ApplicationRole): Promise<boolean> {
  const { rows } = await pool.query<{ can: boolean }>(
    `select coalesce(bool_or(pg_has_role(coalesce($1, current_user), nspowner, 'member')), false) as can
     from pg_namespace where nspname = 'es'`,
    [role?.name ?? null],
  )
  return rows[0]?.can === true
}

/** PostgreSQL's codes for a role that may not do this, and for an extension that is not installed on the server. */
const notPossibleCodes = new Set(['42501', '0A000', '58P01'])

/**
 * Allows a role to check indexes for damage, if the owner may: only a superuser installs PostgreSQL's extension for it.
 * Otherwise nothing changes, and the nightly check says that it leaves out indexes.
 */
export async function allowIndexChecks(pool: Pool, role: string): Promise<void> {
  try {
    await withTransaction(pool, 'begin', async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.roles])
      await client.query('create extension if not exists amcheck')
      await runStatements(client, grantIndexChecksSql, [role])
    })
  } catch (error) {
    if (!notPossibleCodes.has((error as { code?: string }).code ?? '')) throw error
  }
}

/** Runs statements that a query composes, because names cannot be parameters of a definition. */
async function runStatements(client: ClientBase, text: string, values: unknown[]): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(text, values)
  for (const { statement } of rows) await client.query(statement)
}

const createRoleSql = `
  select format('create role %I login password %L', $1::text, $2::text) as statement
  where not exists (select from pg_roles where rolname = $1)`

// With an external event store there is no schema es, or that of an earlier version, whose history was copied: it may lack a function.
// The application's role gets no right to change an event.
const grantsSql = `
  select format('grant create on database %I to %I', current_database(), $1::text) as statement
  union all
  select format('grant %s to %I', granted, $1::text)
  from (values
    ('usage on schema es', to_regnamespace('es')::oid),
    ('select on es.events', to_regclass('es.events')::oid),
    ('execute on function es.append_group', to_regproc('es.append_group')::oid),
    ('execute on function es.append_together', to_regproc('es.append_together')::oid)) as rights (granted, object)
  where object is not null`

const grantIndexChecksSql = `
  select format('grant execute on function bt_index_check(regclass) to %I', coalesce(nullif($1::text, ''), current_user)) as statement`

// Indexes, and sequences of columns, follow their tables.
const handOverSql = `
  with role as (select oid from pg_roles where rolname = $1),
  schemas as (select oid, nspname, nspowner from pg_namespace where nspname = any($2))
  select format('alter schema %I owner to %I', nspname, $1::text) as statement
  from schemas, role where nspowner <> role.oid
  union all
  select format('alter table %s owner to %I', c.oid::regclass, $1::text)
  from pg_class c join schemas on schemas.oid = c.relnamespace, role
  where c.relowner <> role.oid and (c.relkind in ('r', 'p', 'v', 'm')
    or c.relkind = 'S' and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')))
  union all
  select format('alter routine %s owner to %I', p.oid::regprocedure, $1::text)
  from pg_proc p join schemas on schemas.oid = p.pronamespace, role where p.proowner <> role.oid
  union all
  select format('alter type %s owner to %I', t.oid::regtype, $1::text)
  from pg_type t join schemas on schemas.oid = t.typnamespace, role where t.typowner <> role.oid and t.typtype in ('e', 'd')`
