import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Patient } from '#contracts/patients.ts'
import { patientCountsProjection, patientsProjection, patientWordsProjection } from '#modules/patients/projection.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { type Clinic, newClinic } from './clinic.ts'
import { cases, itLong } from '#tests/support/long.ts'

let app: TestApp
let clinic: Clinic
const count = cases(200, 520)

beforeAll(async () => {
  app = await startTestApp()
  clinic = await newClinic(app)
  // A demo practice holds 500 patients.
  await subscribe(clinic.client, 'enterprise')
  await waitForUserSubscription(clinic.client, 'trial')
  for (let from = 0; from < count; from += 40) {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        clinic.add({
          firstName: `P${String((from + index) % 7)}`,
          lastName: `Number${String(from + index).padStart(4, '0')}`,
          // Many share a birth date, and some have none: ties must not confuse the pages.
          dateOfBirth: (from + index) % 5 === 0 ? null : `19${50 + ((from + index) % 9)}-01-01`,
        }),
      ),
    )
  }
})
afterAll(() => app.dispose())

/** Follows `Link: rel="next"` to the end. */
async function everyPage(first: string, between?: (page: number) => Promise<unknown>): Promise<Patient[]> {
  const all: Patient[] = []
  let page = 0
  for (let path: string | undefined = first; path !== undefined;) {
    const answer = await clinic.client.get(path)
    expect(answer.status).toBe(200)
    all.push(...(answer.body as Patient[]))
    path = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
    await between?.(page++)
  }
  return all
}

describe('the list of patients', () => {
  it('begins with fifty, by name, says how many there are and where it goes on', async () => {
    const answer = await clinic.client.get('/api/patients')
    expect(answer.body).toHaveLength(50)
    expect(answer.headers.get('x-total-count')).toBe(String(count))
    expect(answer.headers.get('link')).toMatch(/^<\/api\/patients\?.*cursor=[^>]+>; rel="next"$/)
    expect((answer.body as Patient[]).map(({ lastName }) => lastName).slice(0, 2)).toEqual(['Number0000', 'Number0001'])
  })

  it.each(['name', '-name', 'dateOfBirth', '-dateOfBirth', 'lastVisit', '-lastVisit', 'updatedAt', '-updatedAt'])(
    'by %s has every patient once, in order, page after page',
    async (sort) => {
      const all = await everyPage(`/api/patients?limit=37&sort=${sort}`)
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
      expect(all).toHaveLength(count)
      const key = ({ lastName, dateOfBirth, lastVisit, updatedAt }: Patient) => {
        if (sort.endsWith('name')) return lastName
        if (sort.endsWith('dateOfBirth')) return dateOfBirth
        return sort.endsWith('lastVisit') ? (lastVisit ?? updatedAt) : updatedAt
      }
      const known = all.map(key).filter((value) => value !== null)
      const ascending = known.toSorted()
      expect(known).toEqual(sort.startsWith('-') ? ascending.toReversed() : ascending)
      // Who has no birth date comes last in either direction.
      if (sort.endsWith('Birth')) expect(all.slice(known.length).every((patient) => key(patient) === null)).toBe(true)
    },
  )

  it('misses and repeats no patient while others are added', async () => {
    const before = new Set((await everyPage('/api/patients?limit=500')).map(({ id }) => id))
    const seen = await everyPage('/api/patients?limit=60', (page) =>
      clinic.add({ firstName: page % 2 ? 'A' : 'Z', lastName: page % 2 ? `Aaa${page}` : `Zzz${page}` }),
    )
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
    for (const id of before) expect(seen.some((patient) => patient.id === id)).toBe(true)
  })

  it('takes an offset as well', async () => {
    const skipped = await clinic.names('limit=3&offset=10&search=number&sort=name')
    expect(skipped).toEqual((await clinic.names('limit=13&search=number&sort=name')).slice(10))
    const beyond = await clinic.client.get('/api/patients?offset=100000')
    expect(beyond).toMatchObject({ status: 200, body: [] })
    expect(Number(beyond.headers.get('x-total-count'))).toBeGreaterThanOrEqual(count)
    expect(beyond.headers.get('link')).toBeNull()
  })

  it('pages through what was found, best first', async () => {
    const all = await everyPage('/api/patients?search=number&limit=100')
    expect(all).toHaveLength(count)
    expect(new Set(all.map(({ id }) => id)).size).toBe(count)
  })

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const id = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001'
  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=501'],
    ['limit', 'limit=x'],
    ['offset', 'offset=-1'],
    ['sort', 'sort=phone'],
    ['search', `search=${'x'.repeat(201)}`],
    ['search', 'search=%00'],
    ['cursor', 'cursor=nonsense'],
    ['cursor', 'cursor='],
    ['cursor', `cursor=${encoded({ order: 'name', at: 'x' })}`],
    ['cursor', `cursor=${encoded({ order: 'name', at: 'x', id: 'x' })}`],
    ['cursor', `cursor=${encoded({ order: '-name', at: 'x', id })}`],
    ['cursor', `cursor=${encoded({ order: 'name', at: 'a\u0000', id })}`],
    ['cursor', `cursor=${encoded({ order: 'name', at: '\uD800', id })}`],
    ['cursor', `sort=dateOfBirth&cursor=${encoded({ order: 'dateOfBirth', at: '2023-02-30', id })}`],
    ['cursor', `sort=updatedAt&cursor=${encoded({ order: 'updatedAt', at: '2023-02-01T99:00:00Z', id })}`],
    ['cursor', `sort=updatedAt&cursor=${encoded({ order: 'updatedAt', at: '2023-02-01T09:00:00+23:59', id })}`],
    [
      'cursor',
      `sort=updatedAt&cursor=${encoded({ order: 'updatedAt', at: `2023-02-01T09:00:00.${'9'.repeat(99)}Z`, id })}`,
    ],
    ['cursor', `search=x&cursor=${encoded({ order: 'match', at: 'x', id })}`],
    ['cursor', `search=x&cursor=${encoded({ order: 'match', at: 1, name: '\u0000', id })}`],
  ])('refuses a wrong %s (%#)', async (path, query) => {
    const answer = await clinic.client.get(`/api/patients?${query}`)
    expect(answer.status).toBe(422)
    expect(answer.problem.errors[0]?.path).toBe(path)
  })
})

itLong('ends a long page sooner when its records are long, and misses no patient', async () => {
  const archive = await newClinic(app)
  const notes = 'x'.repeat(20_000)
  for (let from = 0; from < 130; from += 26)
    await Promise.all(
      Array.from({ length: 26 }, (_, index) =>
        archive.add({ firstName: 'Ada', lastName: `Long${from + index}`, notes, medicalHistory: notes }),
      ),
    )
  const first = await archive.client.get('/api/patients?limit=500')
  expect(first.body.length).toBeGreaterThanOrEqual(50)
  expect(first.body.length).toBeLessThan(60)
  const ids = new Set<string>()
  for (let path: string | undefined = '/api/patients?limit=500'; path !== undefined;) {
    const answer = await archive.client.get(path)
    for (const { id } of answer.body as Patient[]) ids.add(id)
    path = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  expect(ids.size).toBe(130)
})

it('is the same row by row after a rebuild', async () => {
  const some = (await clinic.client.get('/api/patients?limit=60')).body as Patient[]
  await Promise.all(
    some.map(({ id: each }, index) =>
      index % 3 === 0
        ? clinic.client.delete(`/api/patients/${each}`)
        : clinic.client.patch(`/api/patients/${each}`, { firstName: `Renamed${index % 4}`, phone: '617 555 0100' }),
    ),
  )
  for (const model of [patientsProjection, patientWordsProjection, patientCountsProjection]) {
    const live = await readTableRows(app.services.pool, model)
    expect(live.length).toBeGreaterThan(0)
    expect(live).toEqual(await foldRows(app.services.store, model, app.services.keyStore))
  }
})
