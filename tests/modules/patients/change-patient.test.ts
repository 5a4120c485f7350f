import { afterAll, beforeAll, expect, it } from 'vitest'
import { newOwner } from '#tests/support/practice.ts'
import { countStreamReads } from '#tests/support/stream-reads.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newClinic } from './clinic.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

it('reads the stream of the patient once for a change', async () => {
  const { client, add } = await newClinic(app)
  const { id, revision } = await add({ lastName: 'Once' })
  const reads = await countStreamReads(app.services.store, `patient-${id}`, async () => {
    expect(await client.patch(`/api/patients/${id}`, { notes: 'Called', revision })).toMatchObject({ status: 200 })
  })
  expect(reads).toBe(1)
})

it('reads the stream of the patient once for a change that is refused as a conflict', async () => {
  const { client, add } = await newClinic(app)
  const { id, revision } = await add({ lastName: 'Stale' })
  await client.patch(`/api/patients/${id}`, { notes: 'First' })
  const reads = await countStreamReads(app.services.store, `patient-${id}`, async () => {
    const reply = await client.patch(`/api/patients/${id}`, { address: 'Here', revision })
    expect(reply).toMatchObject({ status: 409, problem: { changes: [{ field: 'notes', value: 'First' }] } })
  })
  expect(reads).toBe(1)
})

it('reads the stream of the practice once for a change of its settings that is refused as a conflict', async () => {
  const { client, practice } = await newOwner(app)
  await client.patch(`/api/practices/${practice.id}`, { address: '1 New Street' })
  const reads = await countStreamReads(app.services.store, `practice-${practice.id}`, async () => {
    const reply = await client.patch(`/api/practices/${practice.id}`, { name: 'Elm', revision: practice.revision })
    expect(reply).toMatchObject({ status: 409, problem: { changes: [{ field: 'address', value: '1 New Street' }] } })
  })
  expect(reads).toBe(1)
})

it('saves all of ten changes that are sent at once without a revision', async () => {
  const { client, add } = await newClinic(app)
  const { id } = await add({ lastName: 'Busy' })
  const notes = Array.from({ length: 10 }, (_, index) => `Note ${index}`)
  const replies = await Promise.all(notes.map((note) => client.patch(`/api/patients/${id}`, { notes: note })))
  expect(replies.map(({ status }) => status)).toEqual(notes.map(() => 200))
  const { body } = await client.get(`/api/patients/${id}`)
  expect(body.revision).toBe(10)
  expect(notes).toContain(body.notes)
})
