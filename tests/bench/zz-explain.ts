// throw-away, never committed
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import { appendFileSync } from 'node:fs'
import { Client } from 'pg'
import { pino } from 'pino'
import { assemble } from '#backend/assemble.ts'
import { modules } from '#backend/modules.ts'
import { newKey } from '#eventstore/cipher.ts'
import { createApp } from '#http/app.ts'
import { startEmbeddedPostgres } from '#runtime/embedded-postgres.ts'
import { keyedHashWith } from '#runtime/secrets.ts'
import { benchDashboard } from './dashboard.ts'
import { table } from './timing.ts'
import { mkdtemp, rm } from 'node:fs/promises'
const folder = await mkdtemp(os.tmpdir() + '/dash-pg-')
const database = await startEmbeddedPostgres({
  dataDir: folder,
  log: (l: unknown) => appendFileSync('/tmp/dash-pg.log', (typeof l === 'string' ? l : JSON.stringify(l)) + '\n'),
})
try {
  const admin = new Client({ connectionString: database.url })
  await admin.connect()
  await admin.query('create database b')
  const address = new URL(database.url)
  address.pathname = '/b'
  const databaseUrl = address.href
  const logger = pino({ level: 'silent' })
  const app = createApp({ logger, health: () => Promise.reject(new Error('no')), webFolder: 'dist', trustProxy: false })
  const assembled = await assemble({
    databaseUrl,
    modules,
    app,
    logger,
    clock: () => new Date(),
    sessionSecret: 'a secret of the bench, at least 32 characters',
    masterKey: newKey(),
    keyedHash: keyedHashWith('a key of the bench'),
    secure: false,
  })
  const server = await new Promise<Server>((resolve) => {
    const l = app.koa.listen(0, '127.0.0.1', () => resolve(l))
  })
  console.log('load', os.loadavg()[0])
  const query = assembled.services.pool.query.bind(assembled.services.pool)
  const rows = await benchDashboard(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    assembled,
    Number(process.argv[2] ?? 4),
  )
  console.log(table(rows))
  console.log('load', os.loadavg()[0])
  if (process.env['EXPLAIN']) {
    const one = new Client({ connectionString: databaseUrl })
    await one.connect()
    await one.query("load 'auto_explain'").then(
      () => console.log('auto_explain there'),
      (e) => console.log(String(e)),
    )
    const { rows: s } = await one.query('select extname from pg_extension')
    console.log(s.map((r) => r.extname).join())
    const { rows: st } = await one.query(
      "select relname, n_live_tup, last_analyze from pg_stat_user_tables where schemaname='read' and n_live_tup>0",
    )
    console.table(st)
    const {
      rows: [p],
    } = await one.query('select practice_id from read.dashboard_visits limit 1')
    const { writeFileSync } = await import('node:fs')
    const { createPool, sql } = await import('slonik')
    const q = await import('#modules/dashboard/queries.ts')
    const v = await import('#modules/appointments/queries.ts')
    const l = await import('#modules/patients/list.ts')
    let out = ''
    const spy: any = { one: explain, any: explain, maybeOne: explain }
    async function explain(t: { sql: string; values: unknown[] }): Promise<any> {
      const began = performance.now()
      const r = await one.query('explain (analyze, buffers) ' + t.sql.replaceAll('$slonik_', '$'), t.values as never)
      out +=
        t.sql.trim().slice(0, 300) +
        '\n' +
        r.rows.map((x: any) => x['QUERY PLAN']).join('\n') +
        `\nwall ${performance.now() - began}\n\n========\n`
      throw new Error('done')
    }
    for (const f of [
      () => q.findStats(spy, p.practice_id, new Date()),
      () => q.findTrends(spy, p.practice_id, '3months', new Date()),
      () =>
        v.findVisits(spy, 'UTC', {
          practiceId: p.practice_id,
          from: new Date(Date.now() - 4e7).toISOString(),
          until: new Date(Date.now() + 4e7).toISOString(),
        }),
      () =>
        l.listPatients(spy, {
          practiceId: p.practice_id,
          clinical: true,
          search: undefined,
          sort: '-updatedAt',
          limit: 5,
          offset: 0,
          cursor: undefined,
        }),
    ]) {
      try {
        await f()
      } catch (e) {
        if (String(e) !== 'Error: done') console.log(e)
      }
    }
    const ps = await import('#modules/patients/queries.ts')
    const { rows: ids } = await one.query('select id from read.patients limit 5')
    await explain(
      ps.selectPatients(
        true,
        sql.fragment`where p.id = any(${sql.array(
          ids.map((i) => i.id),
          'uuid',
        )}) and practice_id = ${p.practice_id}`,
      ) as never,
    ).catch(() => 0)
    writeFileSync('/tmp/dash-explain.txt', out)
    await one.end()
  }
  server.closeAllConnections()
  server.close()
  await assembled.stop()
  await admin.end()
} finally {
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}
