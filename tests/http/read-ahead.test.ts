import { Client as Connection } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createClient, type Client } from '#tests/support/client.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
let owner: Awaited<ReturnType<typeof newOwner>>
let path: string
/** The statements that were sent, and those whose reply has arrived, in order. */
let steps: string[] = []
const { query } = Connection.prototype

const nameOf = ({ name, text }: { name?: string; text?: string }) =>
  name === 'find-sessions' ? 'session' : text?.includes('from read.patients') ? 'patient' : null

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwner(app)
  const added = await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Liu', allergies: ['Latex'] })
  path = `/api/patients/${added.body.id}`
  Connection.prototype.query = function (this: Connection, ...args: unknown[]) {
    const step = typeof args[0] === 'object' && args[0] !== null ? nameOf(args[0]) : null
    const result = (query as (...all: unknown[]) => unknown).apply(this, args)
    if (step === null) return result
    steps.push(`${step} asked`)
    void (result as Promise<unknown>).then(() => steps.push(`${step} found`))
    return result
  } as typeof query
})
beforeEach(() => {
  steps = []
})
afterAll(async () => {
  Connection.prototype.query = query
  await app.dispose()
})

it('reads a patient while the session is looked up', async () => {
  expect((await owner.client.get(path)).body).toMatchObject({ lastName: 'Liu', allergies: ['Latex'] })
  expect(steps.slice(0, 2).toSorted()).toEqual(['patient asked', 'session asked'])
  expect(steps).toHaveLength(4)
})

it('reads nothing for a request without a session, and returns nothing to one that has ended', async () => {
  expect((await app.newClient().get(path)).status).toBe(401)
  expect(steps).toEqual([])
  const cookie = { Cookie: 'everchart.sid=unknown; everchart.sid.sig=unknown' }
  expect(await createClient(app.url, cookie).get(path)).toMatchObject({ status: 401 })
})

it('returns nothing to another practice, and no clinical field to a member who may not see them', async () => {
  const other: Client = (await newOwner(app)).client
  expect((await other.get(path)).status).toBe(404)
  const staff = await joinPractice(app, owner.practice.id, 'staff')
  expect((await staff.get(path)).body).not.toMatchObject({ allergies: ['Latex'] })
})
