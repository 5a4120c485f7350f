import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DuplicateCandidate } from '#contracts/patients.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { type Clinic, newClinic } from './clinic.ts'
import { itLong } from '#tests/support/long.ts'

let app: TestApp
let clinic: Clinic
const grace = {
  firstName: 'Grace',
  lastName: 'Hopper',
  dateOfBirth: '1996-02-24',
  phone: '617 555 0123',
  email: 'Grace@Navy.example',
}
let known: string

/** Adds a patient as the screens do, which ask about possible duplicates. */
const ask = (by: Pick<Clinic, 'client'>, fields: object) =>
  by.client.post('/api/patients', { ...fields, allowDuplicate: false })

beforeAll(async () => {
  app = await startTestApp()
  clinic = await newClinic(app)
  known = (await clinic.add(grace)).id
})
afterAll(() => app.dispose())

describe('a patient who may be registered already', () => {
  it.each<[object, string[]]>([
    [{ firstName: 'GRACE', lastName: 'Hópper', dateOfBirth: '1996-02-24' }, ['same-name-and-birth-date']],
    [{ firstName: 'Ann', lastName: 'Lee', phone: '+1 (617) 555-0123' }, ['same-phone']],
    [{ firstName: 'Ann', lastName: 'Lee', email: 'grace@navy.EXAMPLE' }, ['same-email']],
    [grace, ['same-email', 'same-name-and-birth-date', 'same-phone']],
  ])('is asked about (%#)', async (fields, reasons) => {
    const answer = await ask(clinic, fields)
    expect(answer).toMatchObject({ status: 409, problem: { code: 'possible-duplicate' } })
    expect(answer.body.candidates).toEqual([
      {
        id: known,
        firstName: 'Grace',
        lastName: 'Hopper',
        dateOfBirth: '1996-02-24',
        email: 'Grace@Navy.example',
        phoneNational: '(617) 555-0123',
        reasons,
      },
    ])
  })

  it.each([
    { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1996-02-25' },
    { firstName: 'Grace', lastName: 'Hopper' },
    { firstName: 'Hopper', lastName: 'Grace', dateOfBirth: '1996-02-24' },
  ])('is another person (%#)', async (fields) => {
    expect((await ask(clinic, fields)).status).toBe(201)
  })

  it.each([
    ['after the user has checked', { allowDuplicate: true }],
    ['for a client that does not ask', {}],
  ])('is added %s', async (_, more) => {
    const answer = await clinic.client.post('/api/patients', { ...grace, ...more })
    expect(answer.status).toBe(201)
    await clinic.client.delete(`/api/patients/${answer.body.id}`)
  })

  it('is not asked about once the other is removed, nor because of another practice', async () => {
    const { id } = await clinic.add({ firstName: 'Gone', lastName: 'Soon', phone: '617 555 0199' })
    await clinic.client.delete(`/api/patients/${id}`)
    const again = { firstName: 'Gone', lastName: 'Soon', phone: '617 555 0199' }
    expect((await ask(clinic, again)).status).toBe(201)
    expect((await ask(await newClinic(app), grace)).status).toBe(201)
  })

  it('is shown with ten others at most, the likeliest first', async () => {
    const family = await newClinic(app)
    for (let n = 0; n < 12; n++)
      await family.add({ firstName: `Child${n}`, lastName: 'Lee', phone: '617 555 0150', allowDuplicate: true })
    const again = { firstName: 'Child7', lastName: 'Lee', phone: '617 555 0150' }
    const { candidates } = (await ask(family, again)).body as {
      candidates: DuplicateCandidate[]
    }
    expect(candidates).toHaveLength(10)
    expect(candidates[0]?.firstName).toBe('Child7')
  })
})

describe('two who register at the same moment', () => {
  it('the same person: one does, the others are asked', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        ask(clinic, { firstName: `Ann${n}`, lastName: 'Rush', phone: '617 555 0177' }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 11 }, () => 409)])
  })

  itLong('on two instances: likewise', async () => {
    const copy = await startTestApp({ databaseUrl: app.databaseUrl })
    try {
      const there = copy.newClient()
      there.setCookie(clinic.client.cookie())
      for (let n = 0; n < 8; n++) {
        const body = { firstName: 'Two', lastName: `Copies${n}`, dateOfBirth: '1990-01-01' }
        const answers = await Promise.all([ask(clinic, body), ask({ client: there }, body)])
        expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
      }
    } finally {
      await copy.dispose()
    }
  })

  itLong('many different people: none waits forever', async () => {
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, n) =>
        ask(clinic, { firstName: 'Crowd', lastName: `No${n}`, dateOfBirth: '1990-01-01' }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  })
})
