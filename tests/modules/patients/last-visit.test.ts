import { afterAll, beforeAll, expect, it } from 'vitest'
import { patientsProjection } from '#modules/patients/projection.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

it('sorts by the date that the list shows', async () => {
  const { client, patientId, book } = await newSchedulingPractice(app)
  const add = async (lastName: string) =>
    (await client.post('/api/patients', { firstName: 'Ann', lastName })).body.id as string
  const [early, never, late] = [await add('Early'), await add('Never'), await add('Late')]
  for (const [id, at] of [
    [early, '2025-03-03T09:00'],
    [late, '2025-09-03T09:00'],
    [patientId, '2025-06-03T09:00'],
  ] as const)
    await book(at, { patientId: id, status: 'completed' })
  // A later change of a record does not count.
  await client.patch(`/api/patients/${early}`, { notes: 'Called' })
  const listed = async (query: string) =>
    ((await client.get(`/api/patients?${query}`)).body as { id: string }[]).map(({ id }) => id)
  expect(await listed('sort=lastVisit')).toEqual([early, patientId, late, never])
  expect(await listed('sort=-lastVisit')).toEqual([never, late, patientId, early])
  expect(await listed('search=Ann&sort=-lastVisit')).toEqual([never, late, early])
})

it('shows as last visit the last one that was completed', async () => {
  const { client, patientId, book } = await newSchedulingPractice(app)
  const lastVisit = async () => {
    const { body } = await client.get(`/api/patients/${patientId}`)
    const listed = (await client.get('/api/patients')).body as { lastVisit: string | null }[]
    expect(listed.map((each) => each.lastVisit)).toEqual([body.lastVisit])
    return body.lastVisit as string | null
  }
  const [first, second] = [await book('2025-03-03T09:00'), await book('2025-06-03T09:00')]
  const change = (id: string, wanted: object) => client.patch(`/api/appointments/${id}`, wanted)
  expect(await lastVisit()).toBeNull()
  await change(second.id, { status: 'completed' })
  await change(first.id, { status: 'completed' })
  expect(await lastVisit()).toBe(second.appointmentDate)
  await change(second.id, { appointmentDate: '2025-07-03T09:00', confirmed: ['in-the-past'] })
  expect(await lastVisit()).toBe('2025-07-03T13:00:00.000Z')
  await change(second.id, { status: 'no-show' })
  expect(await lastVisit()).toBe(first.appointmentDate)
  await client.delete(`/api/appointments/${first.id}`)
  expect(await lastVisit()).toBeNull()
  expect(await readTableRows(app.services.pool, patientsProjection)).toEqual(
    await foldRows(app.services.store, patientsProjection, app.services.keyStore),
  )
})
