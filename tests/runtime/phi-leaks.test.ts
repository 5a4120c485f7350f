import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withPracticeLock } from '#modules/patients/import/practice-lock.ts'
import { openPool } from '#database/pool.ts'
import { acquireDatabase } from '#runtime/acquire-database.ts'
import { importFile, settled } from '#tests/modules/patients/import/import-fixtures.ts'
import { type Client, createClient } from '#tests/support/client.ts'
import {
  type EverchartProcess,
  startEverchart,
  createTemporaryDataDir,
  expectStopped,
} from '#tests/support/everchart-process.ts'
import { someOf } from '#tests/support/long.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'

/** PHI values that occur nowhere by chance. */
const words = [
  'Zyxwvut',
  'Qwortle',
  'Vlimper',
  'Kranzitis',
  'Plodding',
  'Sundrow',
  'Febtember',
  '6175550143',
  '1931-07-1',
]

const patient = {
  firstName: 'Zyxwvut',
  lastName: 'Qwortle',
  dateOfBirth: '1931-07-19',
  email: 'zyxwvut@qwortle.example',
  phone: '(617) 555-0143',
  address: '7 Vlimper Street',
  emergencyContact: { name: 'Sundrow Qwortle', relationship: 'Mother', phone: '(617) 555-0143' },
  insuranceInfo: { provider: 'Vlimper Mutual', policyNumber: '6175550143', groupNumber: null, memberName: 'Qwortle' },
  medicalHistory: 'Kranzitis',
  allergies: ['Sundrow'],
  medications: [{ name: 'Plodding', dosage: null, frequency: null }],
  notes: 'Febtember is a bad month',
}

const csv = [
  'First name,Last name,Date of birth,Phone,Notes',
  'Vlimper,Sundrow,1931-07-18,(617) 555-0144,Kranzitis',
  'Plodding,Sundrow,Febtember 31,,Kranzitis',
  'Zyxwvut,Qwortle,1931-07-19,,',
  ',Sundrow,1931-07-18,,Plodding',
  'Vlimper,Qwortle,1931-02-29,,',
].join('\n')

const pattern = words.flatMap((word) => [word, Buffer.from(word).toString('hex')]).join('|')
const planted = new RegExp(pattern, 'i')

describe.each(someOf(['PostgreSQL', 'an EventStoreDB'], 1))(
  'with events in %s, no planted word is found',
  (storeName) => {
    let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
    let server: WireServer | undefined
    let app: EverchartProcess
    let pool: Pool
    let client: Client
    let practiceId: string

    beforeAll(async () => {
      data = await createTemporaryDataDir()
      server = storeName === 'PostgreSQL' ? undefined : await startWireServer()
      app = startEverchart(data.folder, { LOG_LEVEL: 'trace', ...(server ? { EVENTSTORE_URL: server.url } : {}) })
      await app.ready
      const owner = await newOwner({ newClient: () => createClient(app.url()) })
      ;[client, practiceId] = [owner.client, owner.practice.id]
      const database = await acquireDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined)
      pool = openPool(database.url, 2)

      const { body } = await client.post('/api/patients', patient)
      const { id } = body as { id: string }
      const changes = { lastName: 'Sundrow', phone: null, notes: 'Plodding', deceasedOn: '1931-07-19', allergies: [] }
      expect((await client.patch(`/api/patients/${id}`, changes)).status).toBe(200)
      expect((await client.patch(`/api/patients/${id}`, { deceasedOn: null, ...patient })).status).toBe(200)
      expect((await client.post('/api/patients', { ...patient, firstName: '' })).status).toBe(422)
      expect((await client.post('/api/patients', { ...patient, allowDuplicate: false })).status).toBe(409)
      const other = await client.post('/api/patients', { firstName: 'Vlimper', lastName: 'Qwortle' })
      expect((await client.delete(`/api/patients/${(other.body as { id: string }).id}`)).status).toBe(204)
    })
    afterAll(async () => {
      await pool?.end()
      await data.remove()
      await server?.stop()
    })

    /** Returns the tables, other than read models, that contain a planted word. */
    async function foundIn(): Promise<string[]> {
      const { rows } = await pool.query<{ name: string; reads: boolean }>(
        `select format('%I.%I', schemaname, tablename) as name, schemaname = 'read' as reads from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
      )
      expect(rows.filter(({ reads }) => !reads).length).toBeGreaterThan(8)
      const found: string[] = []
      for (const { name, reads } of rows) {
        const { rowCount } = await pool.query(`select from ${name} t where t::text ~* $1 limit 1`, [pattern])
        if (rowCount && !reads) found.push(name)
        // The screens search names, birth dates and contact data of patients, but not the rows of a file.
        if (rowCount && reads) found.push(name.startsWith('read.patient_import') ? name : 'read')
      }
      return [...new Set(found)]
    }

    it('in any table while an import waits, is done or is undone', async () => {
      let importId = ''
      await withPracticeLock(pool, practiceId, async () => {
        importId = await importFile(client, csv)
        expect((await pool.query('select from app.import_files')).rowCount).toBe(1)
        // The read models are searched by the screens and must contain the words.
        expect(await foundIn()).toEqual(['read'])
      })
      expect(await settled(client, importId)).toMatchObject({ created: 1, skipped: 1 })
      // The file is deleted after the event that ends the import.
      await expect.poll(async () => (await pool.query('select from app.import_files')).rowCount).toBe(0)
      expect(await foundIn()).toEqual(['read'])
      expect((await client.post(`/api/patients/import/${importId}/undo`)).status).toBe(202)
      await settled(client, importId)
      expect(await foundIn()).toEqual(['read'])
    })

    it('that describes health in any table, read models included', async () => {
      const { body } = await client.get('/api/patients/import')
      const [{ importId }] = body as [{ importId: string }]
      const { body: status } = await client.get(`/api/patients/import/${importId}`)
      // The reasons quote dates of the file; they can still be read.
      expect(JSON.stringify(status)).toContain('February 29 does not exist in 1931')
      const { rows } = await pool.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
      )
      expect(rows.map(({ name }) => name)).toContain('read.patients')
      for (const { name } of rows)
        expect([
          name,
          (await pool.query(`select from ${name} t where t::text ~* 'Kranzitis|does not exist in 1931' limit 1`))
            .rowCount,
        ]).toEqual([name, 0])
    })

    it('in the bytes of the event store', async () => {
      if (!server) {
        const { rows } = await pool.query<{ text: string }>('select e::text as text from es.events e')
        expect(rows.length).toBeGreaterThan(15)
        for (const { text } of rows) expect(text).not.toMatch(planted)
        return
      }
      const stored = server.log.all.filter(({ type }) => !type.startsWith('$'))
      expect(stored.length).toBeGreaterThan(15)
      for (const { type, stream, data: bytes, metadata } of stored)
        expect([type, stream, Buffer.from(bytes).toString(), Buffer.from(metadata).toString()].join()).not.toMatch(
          planted,
        )
    })

    it('in the logs of the application and its database', async () => {
      app.kill('SIGTERM')
      await expectStopped(app)
      expect(app.output()).toMatch(/PATCH/)
      expect(app.output()).not.toMatch(planted)
      expect(await readFile(path.join(data.folder, 'postgres.log'), 'utf8')).not.toMatch(planted)
    })
  },
)
