import { afterAll, beforeAll, expect, it } from 'vitest'
import { countStreamReads } from '#tests/support/stream-reads.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from './scheduling-practice.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

it('reads the stream of the appointment once for a change of its details', async () => {
  const { client, book } = await newSchedulingPractice(app)
  const { id, revision } = await book('2031-03-05T09:00')
  const reads = await countStreamReads(app.services.store, `appointment-${id}`, async () => {
    expect(await client.patch(`/api/appointments/${id}`, { notes: 'Called', revision })).toMatchObject({ status: 200 })
  })
  expect(reads).toBe(1)
})

it('reads the stream of the appointment once for a change that is refused as a conflict', async () => {
  const { client, book } = await newSchedulingPractice(app)
  const { id, revision } = await book('2031-03-05T09:00')
  await client.patch(`/api/appointments/${id}`, { notes: 'First' })
  const reads = await countStreamReads(app.services.store, `appointment-${id}`, async () => {
    const reply = await client.patch(`/api/appointments/${id}`, { reason: 'Headache', revision })
    expect(reply).toMatchObject({ status: 409, problem: { changes: [{ field: 'notes', value: 'First' }] } })
  })
  expect(reads).toBe(1)
})

it('reads the stream of the appointment once for a cancellation', async () => {
  const { client, book } = await newSchedulingPractice(app)
  const { id } = await book('2031-03-05T09:00')
  const reads = await countStreamReads(app.services.store, `appointment-${id}`, async () => {
    expect((await client.delete(`/api/appointments/${id}`)).status).toBe(204)
  })
  expect(reads).toBe(1)
})
