import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Provider } from '#contracts/providers.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const namesOf = (answer: { body: Provider[] }) => answer.body.map(({ name }) => name)

it('begins with the owner, once, however many ask at once', async () => {
  const { client, user, practice } = await newOwner(app)
  const answers = await Promise.all(Array.from({ length: 5 }, () => client.get('/api/providers')))
  for (const { body } of answers)
    expect(body).toMatchObject([
      { name: 'Ada Okafor', userId: user.id, practiceId: practice.id, colour: 'teal', active: true },
    ])
})

it('adds colleagues in colours of their own, and changes them', async () => {
  const { client } = await newSchedulingPractice(app)
  const added = await client.post('/api/providers', { name: ' Amara  Chen ', title: 'MD' })
  expect(added).toMatchObject({ status: 201, body: { name: 'Amara Chen', title: 'MD', colour: 'blue', userId: null } })
  expect((await client.post('/api/providers', { name: 'Third' })).body.colour).toBe('purple')
  const path = `/api/providers/${added.body.id}`
  const changed = await client.patch(path, { title: '', colour: 'gold', revision: 0 })
  expect(changed).toMatchObject({ status: 200, body: { title: null, colour: 'gold', revision: 1 } })
  expect(await client.patch(path, { name: 'x', revision: 0 })).toMatchObject({
    status: 409,
    problem: { code: 'changed-meanwhile' },
  })
  expect(namesOf(await client.get('/api/providers'))).toEqual(['Ada Okafor', 'Amara Chen', 'Third'])
})

it('refuses to deactivate a provider with upcoming appointments, and the last one', async () => {
  const { client, provider, book } = await newSchedulingPractice(app)
  const path = `/api/providers/${provider.id}`
  expect(await client.patch(path, { active: false })).toMatchObject({ status: 409, problem: { code: 'last-provider' } })
  const other = (await client.post('/api/providers', { name: 'Amara Chen' })).body as Provider
  await book('2021-03-03T09:00')
  const appointment = await book('2031-03-03T09:00')
  expect(await client.patch(path, { active: false })).toMatchObject({
    status: 409,
    problem: { code: 'upcoming-appointments', appointments: 1, next: appointment.appointmentDate },
  })
  await client.patch(`/api/appointments/${appointment.id}`, { providerId: other.id })
  expect(await client.patch(path, { active: false })).toMatchObject({ status: 200, body: { active: false } })
})

it('keeps one active provider, however many are deactivated at once', async () => {
  const { client, provider } = await newSchedulingPractice(app)
  const others = await Promise.all(['Amara Chen', 'Joy Park'].map((name) => client.post('/api/providers', { name })))
  const ids = [provider.id, ...others.map(({ body }) => body.id as string)]
  const answers = await Promise.all(ids.map((id) => client.patch(`/api/providers/${id}`, { active: false })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409])
  const active = ((await client.get('/api/providers')).body as Provider[]).filter((each) => each.active)
  expect(active).toHaveLength(1)
})

it('books no appointment with an inactive provider, and keeps the existing ones', async () => {
  const { client, provider, book, tryBooking } = await newSchedulingPractice(app)
  const other = (await client.post('/api/providers', { name: 'Amara Chen' })).body as Provider
  const past = await book('2021-03-03T09:00')
  await client.patch(`/api/providers/${provider.id}`, { active: false })
  expect(await tryBooking('2031-03-03T09:00', { providerId: provider.id })).toMatchObject({
    status: 409,
    problem: { code: 'provider-inactive', errors: [{ path: 'providerId' }] },
  })
  expect(await book('2031-03-03T09:00')).toMatchObject({ providerId: other.id })
  const corrected = await client.patch(`/api/appointments/${past.id}`, { duration: 60 })
  expect(corrected).toMatchObject({ status: 200, body: { providerId: provider.id, duration: 60 } })
})

it('is changed by the owner and administrators, and seen by all users who schedule', async () => {
  const { practice, provider } = await newSchedulingPractice(app)
  for (const role of ['doctor', 'nurse', 'staff'] as const) {
    const client = await joinPractice(app, practice.id, role)
    expect((await client.get('/api/providers')).status).toBe(200)
    expect((await client.post('/api/providers', { name: 'x' })).status).toBe(403)
    expect((await client.patch(`/api/providers/${provider.id}`, { name: 'x' })).status).toBe(403)
  }
  const administrator = await joinPractice(app, practice.id, 'administrator')
  expect((await administrator.patch(`/api/providers/${provider.id}`, { name: 'Ada O.' })).status).toBe(200)
})
