import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modules } from '#main/modules.ts'
import type { Recorded } from '#eventstore/event.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { ErasureEvent } from '#modules/erasures/events.ts'
import { findPatient } from '#modules/patients/public.ts'
import { rebuild } from '#projections/rebuild/rebuild.ts'
import { verifyProjection } from '#projections/verify/verify.ts'
import type { Client } from '#tests/support/client.ts'
import { readAllEvents, readStream } from '#tests/support/events.ts'
import { newOwner } from '#tests/support/practice.ts'
import { runTool } from '#tests/support/run-tool.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { isLongRun, itLong } from '#tests/support/long.ts'

let app: TestApp
let client: Client
const remainingIds: string[] = []
let erased: string
let practiceId: string
const projections = modules.flatMap((module) => module.projections ?? [])

const run = (tool: string, ...args: string[]) => runTool(tool, args, app.toolSettings)

async function add(patient: object): Promise<string> {
  const added = await client.post('/api/patients', patient)
  expect(added.status).toBe(201)
  return (added.body as { id: string }).id
}

beforeAll(async () => {
  app = await startTestApp()
  const owner = await newOwner(app)
  client = owner.client
  practiceId = owner.practice.id
  erased = await add({ firstName: 'Zebulon', lastName: 'Quixley', email: 'zq@example.test', allergies: ['Latex'] })
  expect((await client.patch(`/api/patients/${erased}`, { lastName: 'Quixton', notes: 'Xylograph' })).status).toBe(200)
  remainingIds.push(await add({ firstName: 'Zebulon', lastName: 'Other' }))
  const patients = projections.find(({ name }) => name === 'patients')
  // Leaves the table from before the swap.
  if (patients) await rebuild(app.services, patients)
})
afterAll(() => app.dispose())

itLong('requires a reason and a confirmation', async () => {
  expect(await run('keys', 'destroy', erased)).toMatchObject({
    code: 2,
    err: "required option '--why <reason>' not specified: npm run keys -- --help prints the usage\n",
  })
  const unconfirmed = await run('keys', 'destroy', erased, '--why', 'asked for in writing')
  expect(unconfirmed).toMatchObject({ code: 1, out: '', err: 'Cannot ask for confirmation here: pass --yes\n' })
  expect((await client.get(`/api/patients/${erased}`)).status).toBe(200)
  const unknown = await run('keys', 'destroy', crypto.randomUUID(), '--why', 'x', '--yes')
  expect(unknown).toMatchObject({ code: 1, err: expect.stringMatching(/^There is no patient [^\n]+\n$/) })
})

it('destroys the key of a patient while the application runs', async () => {
  const done = await run('keys', 'destroy', erased, '--why', 'asked for in writing', '--yes')
  expect([done.err, done.code]).toEqual(['', 0])
  expect(done.out).toMatch(new RegExp(`^The key of ${erased} is destroyed, since [^\n]+\n`))
})

itLong('names a key that is destroyed, and destroys it once', async () => {
  const again = await run('keys', 'destroy', erased, '--why', 'once more', '--yes')
  expect([again.code, again.out]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^The key of ${erased} is destroyed, since `)),
  ])
  const listed = JSON.parse((await run('keys', 'list', '--json')).out) as { destroyed: object[] }
  expect(listed.destroyed).toMatchObject([{ subject: erased, destroyed: expect.any(String) }])
})

describe('after an erasure', () => {
  it('the patient cannot be found, and all others can', async () => {
    for (const answer of [
      await client.get(`/api/patients/${erased}`),
      await client.patch(`/api/patients/${erased}`, { notes: 'x' }),
      await client.delete(`/api/patients/${erased}`),
    ])
      expect([answer.status, answer.problem.code]).toEqual([404, 'not-found'])
    const found = (await client.get('/api/patients?search=zebulon')).body as { id: string }[]
    expect(found.map(({ id }) => id)).toEqual(remainingIds)
    expect((await client.get('/api/patients?search=quixton')).body).toEqual([])
    await add({ firstName: 'Zebulon', lastName: 'Quixley' })
  })

  it('what names removed patients names an erased one', async () => {
    expect(await findPatient(app.services.db, practiceId, erased)).toEqual({
      id: erased,
      firstName: 'Erased',
      lastName: 'patient',
      removed: true,
      deceasedOn: null,
      revision: null,
    })
  })

  it('the events remain without their PHI, in the running application too', async () => {
    const events = await readStream(app.services.store, `patient-${erased}`)
    expect(events.map(({ type }) => type)).toEqual([
      'PatientRegistered',
      'PatientDemographicsCorrected',
      'PatientNotesChanged',
      'PatientRemoved',
    ])
    expect(events[0]?.data).toMatchObject({ patientId: erased, firstName: null, email: null, allergies: null })
    expect(events[3]?.data).toEqual({ patientId: erased, reason: 'erased', firstName: null, lastName: null })
  })

  itLong('the tool that prints events finds no PHI in them', async () => {
    const stream = await run('events', 'stream', `patient-${erased}`, '--reveal')
    expect([stream.err, stream.out.split('\n').length, stream.out.includes('"firstName":null')]).toEqual(['', 5, true])
  })

  it('the decision is recorded with its author and reason', async () => {
    const events = await readStream(app.services.store, `erasure-${erased}`)
    const erasureEvents = events.map(({ type, data }) => ErasureEvent.parse({ type, data }))
    expect(erasureEvents).toEqual([
      {
        type: 'ErasureRequested',
        data: { patientId: erased, requestedBy: expect.any(String), reason: 'asked for in writing' },
      },
      { type: 'ErasureCompleted', data: { patientId: erased } },
    ])
    expect(events[0]?.metadata.actor).toEqual({ kind: 'process', name: 'keys' })
  })

  it.each(projections.map((projection) => [projection.name, projection] as const))(
    'the read model %s verifies and rebuilds without a difference',
    async (_, projection) => {
      const engine = app.services
      expect(await verifyProjection(engine, projection)).toMatchObject({ differences: 0 })
      // A rebuild takes longer, and the other models contain no encrypted column.
      if (!isLongRun && !projection.sealed) return
      expect(await rebuild(engine, projection)).toMatchObject({ status: 'done' })
      expect(await verifyProjection(engine, projection)).toMatchObject({ differences: 0 })
    },
  )

  it('no table contains the PHI, previous read model tables included', async () => {
    const { pool } = app.services
    const { rows } = await pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    expect(rows.length).toBeGreaterThan(15)
    for (const { name } of rows) {
      const found = await pool.query(`select from ${name} t where t::text ~* 'quixton|xylograph|zq@example'`)
      expect([name, found.rowCount]).toEqual([name, 0])
    }
    expect((await readAllEvents(app.services.store)).length).toBeGreaterThan(5)
  })
})

itLong('erases a patient who was removed before', async () => {
  const id = await add({ firstName: 'Removed', lastName: 'Before' })
  expect((await client.delete(`/api/patients/${id}`)).status).toBe(204)
  const done = await run('keys', 'destroy', id, '--why', 'asked for in writing', '--yes')
  expect([done.err, done.code]).toEqual(['', 0])
  const events = await readStream(app.services.store, `patient-${id}`)
  expect(events.map(({ data }) => data['firstName'])).toEqual([null, null])
})

itLong('refuses events written before encryption was introduced', async () => {
  const { pool, store } = app.services
  const id = await add({ firstName: 'Old', lastName: 'Plain' })
  const [event] = await readStream(store, `patient-${id}`)
  const old = crypto.randomUUID()
  const raw = await openPostgresStore(pool)
  const plain = { ...(event as Recorded), id: crypto.randomUUID(), data: { ...event?.data, patientId: old } }
  expect(await raw.append(`patient-${old}`, 'no-stream', [plain])).toMatchObject({ status: 'appended' })
  await raw.close()
  const refused = await run('keys', 'destroy', old, '--why', 'x', '--yes')
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/stored unencrypted[^\n]+\n$/) })
})
