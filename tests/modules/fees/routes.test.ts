import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultFees } from '#contracts/values/money.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

it('applies to appointments completed after the change', async () => {
  const { client, book } = await newSchedulingPractice(app)
  expect((await client.get('/api/fees')).body).toEqual({ fees: defaultFees, revision: null })
  const [before, after] = [await book('2031-03-03T09:00'), await book('2031-03-03T09:30')]
  const complete = async (id: string) =>
    (await client.patch(`/api/appointments/${id}`, { status: 'completed' })).body.fee as unknown
  expect(await complete(before.id)).toEqual({ cents: 150_00, currency: 'USD' })
  const changed = await client.patch('/api/fees', { fees: { consultation: 175_50 } })
  expect(changed.body).toEqual({
    fees: { ...defaultFees, consultation: { cents: 175_50, currency: 'USD' } },
    revision: 0,
  })
  expect(await complete(after.id)).toEqual({ cents: 175_50, currency: 'USD' })
  expect((await client.get(`/api/appointments/${before.id}`)).body.fee).toEqual({ cents: 150_00, currency: 'USD' })
})

it('accepts whole cents for known types, per practice', async () => {
  const { client } = await newSchedulingPractice(app)
  for (const fees of [{ procedure: 1.5 }, { procedure: -1 }, { surgery: 100 }, 5])
    expect((await client.patch('/api/fees', { fees })).status).toBe(422)
  expect((await client.get('/api/fees')).body).toEqual({ fees: defaultFees, revision: null })
})

it('reports what another user changed, and changes nothing', async () => {
  const { client } = await newSchedulingPractice(app)
  const before = (await client.get('/api/fees')).body.revision as number | null
  expect(before).toBeNull()
  expect((await client.patch('/api/fees', { fees: { procedure: 500_00 }, revision: null })).body.revision).toBe(0)
  for (const stale of [null, 7]) {
    const refused = await client.patch('/api/fees', { fees: { consultation: 1_00 }, revision: stale })
    expect(refused).toMatchObject({ status: 409, problem: { code: 'changed-meanwhile' } })
  }
  const refused = await client.patch('/api/fees', { fees: { consultation: 1_00 }, revision: null })
  expect(refused.problem['changes']).toEqual([
    { field: 'procedure', value: { cents: 500_00, currency: 'USD' }, by: 'Ada Okafor', at: expect.any(String) },
  ])
  const last = await client.patch('/api/fees', { fees: { consultation: 151_00 }, revision: 0 })
  expect(last.body).toMatchObject({
    fees: { consultation: { cents: 151_00 }, procedure: { cents: 500_00 } },
    revision: 1,
  })
})
