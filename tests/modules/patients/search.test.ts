import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { type Clinic, newClinic } from './clinic.ts'

let app: TestApp
let clinic: Clinic
let other: Clinic

const people = [
  {
    firstName: 'Grace',
    lastName: 'Hopper',
    email: 'g.hopper@navy.example',
    phone: '(617) 555-0123',
    dateOfBirth: '1996-02-24',
  },
  { firstName: 'José', lastName: 'Gómez', email: 'pepe_99+vip@mail.example', phone: '508 555 0144' },
  { firstName: 'Katherine', lastName: 'Johnson', email: 'ghopper.fan@space.example' },
  { firstName: 'Ann', lastName: 'Cooper' },
  { firstName: 'Seán', lastName: 'O’Brien' },
  { firstName: 'Sinéad', lastName: "O'Connell" },
  { firstName: 'Mary Ann', lastName: 'Smith-Jones' },
  { firstName: 'Hermina', lastName: 'Runolfsdottir785' },
  { firstName: '花子', lastName: '山田' },
  { firstName: '🙂', lastName: 'Smiley' },
  { firstName: 'Al', lastName: 'Ng', phone: '+44 20 7946 0018' },
]

beforeAll(async () => {
  app = await startTestApp()
  clinic = await newClinic(app)
  other = await newClinic(app)
  for (const person of people) await clinic.add(person)
  await other.add({ firstName: 'Grace', lastName: 'Hopper' })
  // What is a slip here is a name elsewhere, which changes nothing here.
  const elsewhere = await newClinic(app)
  for (const lastName of ['Hoper', 'Kopper', 'Hpoper', 'Jonson', 'Kathrine'])
    await elsewhere.add({ firstName: 'Elsa', lastName })
})
afterAll(() => app.dispose())

const find = (search: string) => clinic.names(`search=${encodeURIComponent(search)}`)

describe('a patient is found', () => {
  it.each([
    ['Hopper', ['Grace Hopper']],
    ['Hoper', ['Grace Hopper']],
    ['Kopper', ['Grace Hopper']],
    ['opper', ['Grace Hopper', 'Katherine Johnson']],
    ['Hpoper', ['Grace Hopper']],
    ['hop', ['Grace Hopper']],
    ['h', ['Grace Hopper', 'Hermina Runolfsdottir785']],
    ['HOPPER grace', ['Grace Hopper']],
    ['jose gomez', ['José Gómez']],
    ['gomez jose', ['José Gómez']],
    ['Gómez', ['José Gómez']],
    ['gomes', ['José Gómez']],
    ['jsoe', ['José Gómez']],
    ['Jonson', ['Katherine Johnson']],
    ['kathrine jonson', ['Katherine Johnson']],
    ['kathrinee', ['Katherine Johnson']],
    ['obrien', ['Seán O’Brien']],
    ["o'brien", ['Seán O’Brien']],
    ['connel', ["Sinéad O'Connell"]],
    ["O'Connel", ["Sinéad O'Connell"]],
    ['brien', ['Seán O’Brien']],
    ['smith-jones', ['Mary Ann Smith-Jones']],
    ['jones mary', ['Mary Ann Smith-Jones']],
    ['Runolfsdotir', ['Hermina Runolfsdottir785']],
    ['山田', ['花子 山田']],
    ['花', ['花子 山田']],
    ['🙂', ['🙂 Smiley']],
    ['617 555', ['Grace Hopper']],
    ['(617) 555-0123', ['Grace Hopper']],
    ['0123', ['Grace Hopper']],
    ['+1 617', ['Grace Hopper']],
    ['(617) 555-0123 ext. 9', ['Grace Hopper']],
    ['020 7946 0018', ['Al Ng']],
    ['0044 20 7946 0018', ['Al Ng']],
    ['011 44 20 7946 0018', ['Al Ng']],
    ['+44 (0)20 7946 0018', ['Al Ng']],
    ['+44 020 7946 0018', ['Al Ng']],
    ['020 7946', ['Al Ng']],
    ['gomez 508', ['José Gómez']],
    ['1996-02-24', ['Grace Hopper']],
    ['2/24/1996', ['Grace Hopper']],
    ['24.2.1996', ['Grace Hopper']],
    ['Feb 24, 1996', ['Grace Hopper']],
    ['grace February 24 1996', ['Grace Hopper']],
    ['g.hopper@navy.example', ['Grace Hopper']],
    ['@navy', ['Grace Hopper']],
    ['hopper@', ['Grace Hopper']],
    ['ghopper.fan', ['Katherine Johnson']],
    ['navy.ex', ['Grace Hopper']],
    ['epe_9', ['José Gómez']],
    ['9+vip@mail', ['José Gómez']],
    ['9%vip@mail', []],
    ['pepe99', []],
    ['space', ['Katherine Johnson']],
    ['g@', []],
    ['hopper 1970-01-01', []],
    ['cooper', ['Ann Cooper']],
    ['xylophone', []],
    ['%', []],
    ['_', []],
    ['\\', []],
    ['\\%', []],
    ['"', []],
    ["'", []],
    ["' or 1=1 --", []],
    ['{hopper}', ['Grace Hopper']],
    ['fan', ['Katherine Johnson']],
    ['*', []],
    ['h*', ['Grace Hopper', 'Hermina Runolfsdottir785']],
    ['@', []],
    ['🙃', []],
    ['0'.repeat(200), []],
    ['a '.repeat(100), ['Ann Cooper', 'Mary Ann Smith-Jones', 'Al Ng']],
  ])('by %s', async (search, expected) => {
    const found = await find(search)
    expect(found.toSorted()).toEqual(expected.toSorted())
  })

  it('by the first eight characters of the id, and by the whole id', async () => {
    const { id } = await clinic.add({ firstName: 'Ida', lastName: 'Bell' })
    expect(await find(id.slice(0, 8))).toContain('Ida Bell')
    expect(await find(id.slice(0, 8).toUpperCase())).toContain('Ida Bell')
    expect(await find(id)).toEqual(['Ida Bell'])
    expect(await other.names(`search=${id}`)).toEqual([])
  })

  it('by a name or a phone number that looks like an id', async () => {
    await clinic.add({ firstName: 'Ada', lastName: 'Beefdead', phone: '+49 30 12345678' })
    expect(await find('beefdead')).toEqual(['Ada Beefdead'])
    expect(await find('12345678')).toEqual(['Ada Beefdead'])
  })

  it('best match first', async () => {
    await clinic.add({ firstName: 'Ann', lastName: 'Hopperton' })
    expect(await find('hopper')).toEqual(['Grace Hopper', 'Ann Hopperton'])
    expect((await find('ann')).at(-1)).not.toBe('Ann Cooper')
  })

  it('and counted', async () => {
    const answer = await clinic.client.get('/api/patients?search=ann&limit=1')
    expect(answer.body).toHaveLength(1)
    expect(answer.headers.get('x-total-count')).toBe('3')
  })

  it('in the order that was asked for', async () => {
    expect(await clinic.names('search=ann&sort=-name')).toEqual(['Mary Ann Smith-Jones', 'Ann Hopperton', 'Ann Cooper'])
  })

  it('by a name that was corrected, and not by the one before', async () => {
    const { id } = await clinic.add({ firstName: 'Wrong', lastName: 'Quillfeather' })
    await clinic.client.patch(`/api/patients/${id}`, { lastName: 'Brightwater' })
    expect(await find('brightwatr')).toEqual(['Wrong Brightwater'])
    expect(await find('quillfeather')).toEqual([])
  })

  it('only in one’s own practice', async () => {
    expect(await other.names('search=hoper')).toEqual(['Grace Hopper'])
    expect(await other.names('search=gomez')).toEqual([])
  })
})

describe('a search for nothing', () => {
  it.each(['', '%20%20'])('is the whole list (%#)', async (search) => {
    const answer = await clinic.client.get(`/api/patients?search=${search}`)
    expect(answer.body.length).toBeGreaterThanOrEqual(people.length)
  })
})
