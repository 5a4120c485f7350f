import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planSample } from '#modules/samples/planning.ts'
import type { Recorded } from '#eventstore/event.ts'
import { sampleSeed } from '#contracts/sample-practice.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ seedsSamples: true })
})
afterAll(() => app.end())

async function recordOf(practiceId: string): Promise<Recorded[]> {
  const all: Recorded[] = []
  for (let from = null as string | null; ;) {
    const { events, next } = await app.services.store.readAll(from, 1_000)
    if (events.length === 0) return all
    all.push(...events.filter(({ metadata }) => metadata.practiceId === practiceId))
    from = next
  }
}

describe('a practice that a demo user sets up', () => {
  it('is full when the set-up answers', async () => {
    const began = Date.now()
    const { client, practice } = await newOwner(app)
    console.log('ms', Date.now() - began)
    const b2 = Date.now()
    await newOwner(app)
    console.log('ms', Date.now() - b2)
    const patients = await client.get('/api/patients?limit=100')
    expect(patients.body).toHaveLength(40)
    const today = await client.get('/api/appointments/today')
    expect(today.body).toHaveLength(12)
    const events = await recordOf(practice.id)
    console.log(
      events.length,
      Object.fromEntries([...Map.groupBy(events, (e) => e.type)].map(([k, v]) => [k, v.length])),
    )
    const plan = planSample(practice.id, {
      at: new Date().toISOString(),
      timezone: practice.timezone,
      seed: sampleSeed,
    })
    expect(plan.visits.length).toBeGreaterThan(200)
  })
})
