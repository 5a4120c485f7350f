import { Client as Connection } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Patient } from '#contracts/patients.ts'
import type { Client } from '#tests/support/client.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof newSchedulingPractice>>
let reviewer: Client
let staff: Client
const ids: string[] = []

type Page = { patients: Patient[]; total: string | null; hasNext: boolean }

async function read(client: Client, query: string): Promise<Page> {
  const { status, body, headers } = await client.get(`/api/patients?${query}`)
  expect(status).toBe(200)
  return { patients: body, total: headers.get('X-Total-Count'), hasNext: headers.get('Link') !== null }
}

let limit = 50
/** Reads with a limit that was not used before the last change: nothing is kept for it. */
const readAfresh = (client: Client, query: string) => read(client, `${query}&limit=${limit}`)

const add = async (fields: object) => {
  const added = await fixture.client.post('/api/patients', fields)
  expect(added.status).toBe(201)
  ids.push(added.body.id as string)
}
const patch = async (index: number, body: object) =>
  expect((await fixture.client.patch(`/api/patients/${ids[index]}`, body)).status).toBe(200)

beforeAll(async () => {
  app = await startTestApp()
  fixture = await newSchedulingPractice(app)
  reviewer = await joinPractice(app, fixture.practice.id, 'reviewer')
  staff = await joinPractice(app, fixture.practice.id, 'staff')
  for (const firstName of ['Ada', 'Barbara', 'Edith'])
    await add({ firstName, lastName: 'Hopper', allergies: ['Latex'], phone: `617 555 01${10 + ids.length}` })
})
afterAll(() => app.dispose())

const queries = ['sort=name', 'sort=-lastVisit', 'search=hopper', 'search=ho', 'search=hoper', 'search=617%20555%2001']

const changes: readonly [name: string, change: () => Promise<unknown>][] = [
  ['a new patient', () => add({ firstName: 'Grace', lastName: 'Hopper' })],
  ['a new patient of another name that begins alike', () => add({ firstName: 'Grace', lastName: 'Hoppers' })],
  ['another name', () => patch(0, { lastName: 'Lovelace' })],
  ['another phone number', () => patch(1, { phone: '617 555 0199' })],
  ['another allergy', () => patch(2, { allergies: ['Penicillin'] })],
  [
    'a completed appointment',
    async () => {
      const { id } = await fixture.book('2021-03-03T09:00', { patientId: ids[2] })
      expect((await fixture.client.patch(`/api/appointments/${id}`, { status: 'completed' })).status).toBe(200)
    },
  ],
  ['a removal', async () => expect((await fixture.client.delete(`/api/patients/${ids[1]}`)).status).toBe(204)],
]

it.each(changes)('pages that were read before show %s at once', async (_, change) => {
  const clients = [fixture.client, reviewer, staff]
  const before = await Promise.all(clients.flatMap((client) => queries.map((query) => read(client, query))))
  await change()
  limit--
  const after: Page[] = []
  for (const client of clients)
    for (const query of queries) {
      after.push(await read(client, query))
      expect(after.at(-1)).toEqual(await readAfresh(client, query))
    }
  expect(after).not.toEqual(before)
})

it.each(queries)('reads the rows of %s once while nothing changes', async (query) => {
  let reads = 0
  const { query: send } = Connection.prototype
  Connection.prototype.query = function (this: Connection, ...args: unknown[]) {
    const [statement] = args as [string | { text: string }]
    const text = typeof statement === 'string' ? statement : statement.text
    if (text.includes('read.patients') && text.includes('"dateOfBirth"')) reads++
    return (send as (...all: unknown[]) => unknown).apply(this, args)
  } as typeof send
  try {
    limit = 20
    const first = await readAfresh(fixture.client, query)
    expect(await readAfresh(fixture.client, query)).toEqual(first)
  } finally {
    Connection.prototype.query = send
  }
  expect(reads).toBe(1)
})

it('a page that is full says when another one follows', async () => {
  const query = 'search=hopper&limit=2'
  expect(await read(fixture.client, query)).toMatchObject({ total: '3', hasNext: true })
  await patch(2, { lastName: 'Noether' })
  expect(await read(fixture.client, query)).toMatchObject({ total: '2', hasNext: false })
  await patch(2, { lastName: 'Hopper' })
  expect(await read(fixture.client, query)).toMatchObject({ total: '3', hasNext: true })
})

it('shows clinical fields only to members who may see them, also after a member who may', async () => {
  const allergiesFor = async (client: Client) =>
    (await read(client, 'search=edith')).patients.map(({ allergies }) => allergies)
  expect(await allergiesFor(fixture.client)).toEqual([['Penicillin']])
  expect(await allergiesFor(staff)).not.toEqual([['Penicillin']])
  expect(await allergiesFor(fixture.client)).toEqual([['Penicillin']])
})

it('shows no clinical fields of a patient whose key was destroyed since', async () => {
  const readAllergies = async () =>
    (await read(fixture.client, 'search=edith')).patients.map(({ allergies }) => allergies)
  expect(await readAllergies()).toEqual([['Penicillin']])
  await app.services.keyStore.destroy(ids[2] ?? '')
  expect(await readAllergies()).not.toEqual([['Penicillin']])
})
