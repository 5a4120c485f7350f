import type { Pool } from 'pg'

/** Properties of the installation, one row each. */
export const installationMigration = {
  id: 'runtime-001-installation',
  sql: 'create table app.installation (name text primary key, value text not null)',
}

/** Returns a property of the installation; undefined if it has no value yet. */
export async function readInstallationValue(pool: Pool, name: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ value: string }>('select value from app.installation where name = $1', [name])
  return rows[0]?.value
}

/** Inserts a value unless there is one; returns the stored one. */
export async function insertInstallationValue(pool: Pool, name: string, value: string): Promise<string> {
  await pool.query('insert into app.installation (name, value) values ($1, $2) on conflict (name) do nothing', [
    name,
    value,
  ])
  return (await readInstallationValue(pool, name)) ?? value
}
