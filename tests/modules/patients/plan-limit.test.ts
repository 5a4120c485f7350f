import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForSubscriptionStatus, subscribe } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

let app: TestApp
let owner: Client
beforeAll(async () => {
  app = await startTestApp()
  owner = (await newOwner(app)).client
  await subscribe(owner, 'starter')
})
afterAll(() => app.dispose())

const file = (name: string, count: number) =>
  `First Name,Last Name,DOB\n${Array.from({ length: count }, (_, at) => `${name},N${at},1980-01-01`).join('\n')}`

async function bring(csv: string, client = owner) {
  const started = await client.post('/api/patients/import', { csv })
  expect(started.status).toBe(202)
  const { body } = await waitUntil(
    () => client.get(`/api/patients/import/${started.body.importId}`),
    (answer) => answer.body.state === 'done',
  )
  return body
}
const add = (lastName: string, over: object = {}) =>
  owner.post('/api/patients', { firstName: 'Late', lastName, ...over })
const full = { status: 402, problem: { code: 'plan-limit', limit: 500 } }

describe('a plan with room for 500 patients', () => {
  it('imports the rows that fit, previews their number, and reports the others with the reason', async () => {
    await bring(file('First', 496))
    const csv = file('Second', 5)
    expect((await owner.post('/api/patients/import/preview', { csv })).body).toMatchObject({
      new: 5,
      remainingPatients: 4,
    })
    expect(await bring(csv)).toMatchObject({
      created: 4,
      failed: [{ row: 6, reasons: ['Your Starter plan holds 500 patients. Upgrade to add more.'] }],
    })
    expect(await add('Comer')).toMatchObject(full)
    expect(await add('Comer', { allowDuplicate: true })).toMatchObject(full)
    expect(await owner.post('/api/patients/import', { csv })).toMatchObject(full)
  })

  it('gives the last place to one of several concurrent requests', async () => {
    const { body } = await owner.get('/api/patients?limit=1')
    expect((await owner.delete(`/api/patients/${body[0].id}`)).status).toBe(204)
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((name) => add(name, { allowDuplicate: name === 'D' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 402, 402, 402])
  })

  it('accepts more patients with a larger plan, and keeps its limit when the subscription has ended', async () => {
    await owner.post('/api/subscription/cancel')
    await owner.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForSubscriptionStatus(owner, 'canceled')
    expect(await add('Comer')).toMatchObject(full)
    await owner.post('/api/create-subscription', { planType: 'enterprise' })
    expect(await add('Comer'), 'a plan that is chosen and not paid').toMatchObject(full)
    await subscribe(owner, 'professional')
    await waitUntil(
      () => owner.get('/api/user'),
      ({ body }) => body.subscriptionTier === 'professional',
    )
    expect((await add('Comer')).status).toBe(201)
  })
})

itLong('holds while a file is brought and people are added by hand at the same moment', async () => {
  const { client } = await newOwner(app)
  await subscribe(client, 'starter')
  const importing = async (csv: string) => {
    const { body } = await client.post('/api/patients/import', { csv })
    const ended = await waitUntil(
      () => client.get(`/api/patients/import/${body.importId}`),
      (answer) => answer.body.state === 'done',
    )
    return ended.body.created as number
  }
  await importing(file('First', 420))
  let over = false
  const byHand = async (): Promise<number> => {
    let added = 0
    while (!over) {
      const answer = await client.post('/api/patients', { firstName: 'By', lastName: `Hand ${added}` })
      if (answer.status === 201) added++
      else if (answer.status === 402) break
      else throw new Error(`adding: ${answer.status}`)
    }
    return added
  }
  const adding = byHand()
  const brought = await importing(file('Second', 100)).finally(() => {
    over = true
  })
  const added = await adding
  expect(added).toBeGreaterThan(0)
  expect(420 + brought + added).toBe(500)
  expect((await client.get('/api/subscription/status')).body.patients).toBe(500)
})

itLong('a practice that never subscribed holds 500 patients of its own, on adding and on import', async () => {
  const demo = await startTestApp({ hasSamplePractices: true })
  try {
    const { client } = await newOwner(demo)
    const preview = async (csv: string) =>
      (await client.post('/api/patients/import/preview', { csv })).body.remainingPatients as number
    // Its forty sample patients do not count.
    expect(await preview(file('Demo', 3))).toBe(500)
    expect(await bring(file('Demo', 555), client)).toMatchObject({
      created: 500,
      failed: Array.from({ length: 55 }, () => ({
        reasons: ['The demo holds 500 patients of your own. Upgrade to add more.'],
      })),
    })
    expect(await preview(file('Other', 3))).toBe(0)
    expect(await client.post('/api/patients', { firstName: 'Demo', lastName: 'Patient' })).toMatchObject(full)
    expect(await client.post('/api/patients/import', { csv: file('Other', 3) })).toMatchObject(full)
  } finally {
    await demo.dispose()
  }
})
