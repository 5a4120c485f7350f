import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRandom } from '#tests/crash/random.ts'
import { cases } from '#tests/support/long.ts'
import { newUser, password } from '#tests/support/practice.ts'
import { testSeed } from '#tests/support/seed.ts'
import { productionCost } from '#modules/accounts/passwords/password-store.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
let known: string[]
const random = createRandom(testSeed)
/** Requests for known and for unknown addresses: as many of each. */
const tries = cases(40, 200)
const triesPerAccount = 10

beforeAll(async () => {
  app = await startTestApp({ publicUrl: 'https://practice.example', passwordCost: productionCost })
  const accounts = Array.from({ length: tries / triesPerAccount }, () => newUser(app))
  known = (await Promise.all(accounts)).map(({ user }) => user.email)
})
afterAll(() => app.dispose())

type Measured = { isKnown: boolean; ms: number }

/**
 * Returns how often a known address took longer than an unknown one, of all pairs (the statistic of Mann and Whitney, divided by
 * the number of pairs): about 0.5 when both take the same time, whatever else the machine does; 1 when the known ones take longer.
 */
function compare(measured: readonly Measured[]): number {
  const of = (isKnown: boolean) => measured.filter((each) => each.isKnown === isKnown).map(({ ms }) => ms)
  const pairs = of(true).flatMap((one) => of(false).map((other) => (one > other ? 1 : one === other ? 0.5 : 0)))
  return pairs.reduce<number>((sum, each) => sum + each, 0) / pairs.length
}

/** Sends as many requests for known and for unknown addresses, in random order and a few at once, each from another network. */
async function measure(path: string, status: number, createBody: (email: string) => object): Promise<Measured[]> {
  const requests = Array.from({ length: tries }, (_, n) => [
    { isKnown: true, email: known[n % known.length] ?? '' },
    { isKnown: false, email: `${randomUUID()}@example.test` },
  ]).flat()
  const shuffled = requests.map((request) => ({ request, place: random.next() }))
  const ordered = shuffled.toSorted((a, b) => a.place - b.place).map(({ request }) => request)
  const measured: Measured[] = []
  for (let start = 0; start < ordered.length; start += 4)
    await Promise.all(
      ordered.slice(start, start + 4).map(async ({ isKnown, email }, n) => {
        const network = { 'x-forwarded-for': `10.${Math.floor((start + n) / 250)}.${(start + n) % 250}.1` }
        const began = performance.now()
        const reply = await app.newClient().request('POST', path, createBody(email), network)
        measured.push({ isKnown, ms: performance.now() - began })
        expect(reply.status).toBe(status)
      }),
    )
  return measured
}

/**
 * Distance from a half that the share of equal times exceeds by chance once in ten million runs: 5.4 standard deviations, which
 * is 0.35 in 40 tries and 0.16 in 200.
 */
const noise = 5.4 * Math.sqrt((2 * tries + 1) / (12 * tries * tries))

it.each([
  ['signing in', '/api/login', 401, (email: string) => ({ email, password: `${password}?` })],
  ['requesting a new password', '/api/password/forgot', 200, (email: string) => ({ email })],
] as const)('%s takes the same time for known and unknown addresses', async (_, path, status, createBody) => {
  const share = compare(await measure(path, status, createBody))
  expect(Math.abs(share - 0.5)).toBeLessThan(noise)
})
