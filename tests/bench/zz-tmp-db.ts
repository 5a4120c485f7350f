import { startEmbeddedPostgres } from '#runtime/embedded-postgres.ts'
import { openPool } from '#projections/database.ts'
import { postgresStore } from '#eventstore/postgres.ts'
import { writeHistory } from './history.ts'
import { writeFileSync, mkdtempSync } from 'node:fs'
const folder = mkdtempSync('/tmp/pjbench/db-')
const db = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined })
const pool = openPool(db.url, 5)
await pool.query(
  'create extension if not exists pg_trgm; create extension if not exists unaccent; create extension if not exists btree_gist; create extension if not exists btree_gin',
)
const store = await postgresStore(pool)
const t = performance.now()
await writeHistory(store, 200_000)
console.log('filled', performance.now() - t)
writeFileSync('/tmp/pjbench/url', db.url)
writeFileSync('/tmp/pjbench/pid', String(process.pid))
process.on('SIGTERM', () => db.stop().then(() => process.exit(0)))
setInterval(() => undefined, 1e6)
