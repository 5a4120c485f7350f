import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultAppointmentTypes } from '#contracts/values/appointment-types.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { newMember } from '#tests/support/members.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const path = '/api/appointment-types'
const usd = (cents: number) => ({ cents, currency: 'USD' })
const { consultation, procedure } = defaultAppointmentTypes

it('applies fees to appointments completed after the change', async () => {
  const { client, book } = await newSchedulingPractice(app)
  expect((await client.get(path)).body).toEqual({ types: defaultAppointmentTypes, revision: null })
  const [before, after] = [await book('2031-03-03T09:00'), await book('2031-03-03T09:30')]
  const complete = async (id: string) =>
    (await client.patch(`/api/appointments/${id}`, { status: 'completed' })).body.fee as unknown
  expect(await complete(before.id)).toEqual(usd(150_00))
  const changed = await client.patch(path, { types: { consultation: { fee: 175_50 } } })
  expect(changed.body).toEqual({
    types: { ...defaultAppointmentTypes, consultation: { ...consultation, fee: usd(175_50) } },
    revision: 0,
  })
  expect(await complete(after.id)).toEqual(usd(175_50))
  expect((await client.get(`/api/appointments/${before.id}`)).body.fee).toEqual(usd(150_00))
})

it('is part of the settings of the practice, without the fees for roles that have nothing to do with money', async () => {
  const { client, practice } = await newSchedulingPractice(app)
  const nurse = await newMember(app, practice.id, 'nurse')
  const read = async (reader: typeof client) =>
    (await reader.get(`/api/practices/${practice.id}`)).body.settings.appointmentTypes as unknown
  expect(await read(client)).toEqual(defaultAppointmentTypes)
  await client.patch(path, { types: { procedure: { duration: 60, fee: 500_00, colour: 'purple' } } })
  const changed = { ...defaultAppointmentTypes, procedure: { duration: 60, fee: usd(500_00), colour: 'purple' } }
  expect(await read(client)).toEqual(changed)
  // The settings of the practice itself are saved beside them.
  const renamed = await client.patch(`/api/practices/${practice.id}`, { name: 'Harbor', revision: practice.revision })
  expect(renamed).toMatchObject({ status: 200, body: { settings: { appointmentTypes: changed } } })
  const withoutFees = Object.fromEntries(
    Object.entries(changed).map(([type, settings]) => [type, { ...settings, fee: null }]),
  )
  expect(await read(nurse.client)).toEqual(withoutFees)
  expect((await nurse.client.get(path)).status).toBe(403)
})

it('is read with the practice, in the same statement', async () => {
  const { client, practice } = await newSchedulingPractice(app)
  let statements = 0
  const count = () => void statements++
  // Each statement of this pool acquires a connection; so do read models that catch up, now and then.
  app.services.pool.on('acquire', count)
  const readsInTwo = async () => {
    statements = 0
    expect((await client.get(`/api/practices/${practice.id}`)).status).toBe(200)
    return statements <= 2
  }
  // The session and the practice.
  await waitUntil(readsInTwo)
  await client.patch(path, { types: { procedure: { duration: 60, fee: 500_00, colour: 'purple' } } })
  await waitUntil(readsInTwo)
  app.services.pool.off('acquire', count)
})

it('leaves booked appointments, and calls without a duration, as they are', async () => {
  const { client, book } = await newSchedulingPractice(app)
  const booked = await book('2031-03-03T09:00', { duration: 45 })
  await client.patch(path, { types: { consultation: { duration: 90 } } })
  expect((await client.get(`/api/appointments/${booked.id}`)).body.duration).toBe(45)
  // The specification's default: the duration of the type is a proposal of the screens.
  expect((await book('2031-03-03T11:00')).duration).toBe(30)
})

it('accepts whole minutes, whole cents and the eight colors for known types, per practice', async () => {
  const { client } = await newSchedulingPractice(app)
  const wrong = [
    { procedure: { fee: 1.5 } },
    { procedure: { fee: -1 } },
    { procedure: { duration: 4 } },
    { procedure: { duration: 30.5 } },
    { procedure: { duration: 481 } },
    { procedure: { colour: 'mauve' } },
    { procedure: { length: 30 } },
    { surgery: { fee: 100 } },
    5,
  ]
  for (const types of wrong) expect((await client.patch(path, { types })).status).toBe(422)
  expect((await client.get(path)).body).toEqual({ types: defaultAppointmentTypes, revision: null })
})

it('reports what another user changed, and changes nothing', async () => {
  const { client } = await newSchedulingPractice(app)
  const before = (await client.get(path)).body.revision as number | null
  expect(before).toBeNull()
  const first = await client.patch(path, { types: { procedure: { fee: 500_00, colour: 'red' } }, revision: null })
  expect(first.body.revision).toBe(0)
  const change = { consultation: { duration: 20 } }
  for (const stale of [null, 7]) {
    const refused = await client.patch(path, { types: change, revision: stale })
    expect(refused).toMatchObject({ status: 409, problem: { code: 'changed-meanwhile' } })
  }
  const refused = await client.patch(path, { types: change, revision: null })
  expect(refused.problem['changes']).toEqual([
    { field: 'procedure.fee', value: usd(500_00), by: 'Ada Okafor', at: expect.any(String) },
    { field: 'procedure.colour', value: 'red', by: 'Ada Okafor', at: expect.any(String) },
  ])
  const last = await client.patch(path, { types: change, revision: 0 })
  expect(last.body).toMatchObject({
    types: { consultation: { duration: 20, colour: null }, procedure: { duration: procedure.duration, colour: 'red' } },
    revision: 1,
  })
})

it('reads the fees that were stored before durations and colors could be set', async () => {
  const { client, practice, user } = await newSchedulingPractice(app)
  await app.services.store.append(`fees-${practice.id}`, 'no-stream', [
    {
      id: crypto.randomUUID(),
      type: 'FeesChanged',
      data: { practiceId: practice.id, from: { procedure: usd(450_00) }, to: { procedure: usd(480_00) } },
      metadata: {
        practiceId: practice.id,
        actor: { kind: 'user', userId: user.id, role: user.role },
        correlationId: 'old',
        causationId: 'old',
        at: new Date().toISOString(),
        schemaVersion: 1,
        sample: false,
      },
    },
  ])
  const types = { ...defaultAppointmentTypes, procedure: { ...procedure, fee: usd(480_00) } }
  expect((await client.get(path)).body).toEqual({ types, revision: 0 })
  await expect
    .poll(async () => (await client.get(`/api/practices/${practice.id}`)).body.settings.appointmentTypes)
    .toEqual(types)
  const next = await client.patch(path, { types: { procedure: { duration: 50 } }, revision: 0 })
  expect(next.body).toMatchObject({ types: { procedure: { duration: 50, fee: usd(480_00) } }, revision: 1 })
})
