import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportPreview, ImportStatus } from '#contracts/patient-import.ts'
import type { Client } from '#tests/support/client.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { importFile, importOf, settled, statusOf } from './importing.ts'

const synthea = readFileSync('tests/fixtures/patients-synthea.csv', 'utf8')

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.end())

const owner = async () => (await newOwner(app)).client

async function preview(client: Client, csv: string, more: object = {}): Promise<ImportPreview> {
  const answer = await client.post('/api/patients/import/preview', { csv, ...more })
  expect([answer.status, answer.problem.message]).toEqual([200, undefined])
  return answer.body
}

const totalOf = async (client: Client) =>
  Number((await client.get('/api/patients?limit=1')).headers.get('x-total-count'))

describe('the file of Synthea', () => {
  let client: Client
  let importId: string

  beforeAll(async () => {
    client = await owner()
  })

  test('the preview says what each row becomes, and writes nothing', async () => {
    const shown = await preview(client, synthea)
    expect(shown).toMatchObject({
      dateFormat: 'iso',
      ambiguousDates: [],
      total: 555,
      new: 555,
      duplicate: 0,
      invalid: 0,
      exceptions: [],
    })
    expect(shown.columns).toContainEqual({ heading: 'FIRST', field: 'firstName', sample: 'Theda286', sure: true })
    expect(shown.columns).toContainEqual({ heading: 'SSN', field: null, sample: '999-53-8325', sure: true })
    expect(shown.rows).toHaveLength(20)
    expect(shown.rows[0]).toEqual({
      row: 2,
      status: 'new',
      reasons: [],
      patient: {
        firstName: 'Theda286',
        lastName: 'Kirlin939',
        dateOfBirth: '1996-02-24',
        gender: 'female',
        email: null,
        phone: null,
        address: '595 Greenfelder Knoll, Quincy, Massachusetts 02171',
        deceasedOn: null,
      },
    })
    expect(await totalOf(client)).toBe(0)
    expect((await client.get('/api/patients/import')).body).toEqual([])
  })

  test('the import brings every row once', async () => {
    importId = await importFile(client, synthea)
    const status = await settled(client, importId)
    expect(status).toMatchObject({
      importId,
      state: 'done',
      total: 555,
      done: 555,
      created: 555,
      skipped: 0,
      skippedRows: [],
      failed: [],
    })
    expect(status.finishedAt).not.toBeNull()
    expect(await totalOf(client)).toBe(555)
    const { rows } = await app.services.pool.query(
      `select count(distinct data::jsonb ->> 'importRow')::int as rows, count(*)::int as patients from es.events
       where type = 'PatientRegistered' and data::jsonb ->> 'importId' = $1`,
      [importId],
    )
    expect(rows).toEqual([{ rows: 555, patients: 555 }])
    const { rows: files } = await app.services.pool.query('select import_id from app.import_files')
    expect(files).toEqual([])
  })

  test('its patients are found at once, with accents, code and day of death', async () => {
    const [found] = (await client.get('/api/patients?search=Kirlin&limit=5')).body
    expect(found).toMatchObject({ lastName: 'Kirlin939', importId, address: expect.stringContaining('02171') })
    const { rows } = await app.services.pool.query(
      `select count(*) filter (where deceased_on is not null)::int as dead,
         count(*) filter (where first_name || last_name ~ '[^ -~]')::int as accented
       from read.patients where import_id = $1`,
      [importId],
    )
    const lines = synthea
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
    expect(rows).toEqual([
      {
        dead: lines.filter((cells) => cells[2]).length,
        accented: lines.filter((cells) => /[^ -~]/.test(`${cells[7]}${cells[9]}`)).length,
      },
    ])
  })

  test('a second time every row is skipped, and says why', async () => {
    expect(await preview(client, synthea)).toMatchObject({ total: 555, new: 0, duplicate: 555, invalid: 0 })
    const again = await settled(client, await importFile(client, synthea))
    expect(again).toMatchObject({ state: 'done', done: 555, created: 0, skipped: 555, failed: [] })
    expect(again.skippedRows[0]).toEqual({
      row: 2,
      reasons: ['Same name and birth date as a patient who is already here'],
    })
    expect(await totalOf(client)).toBe(555)
  })

  test('duplicates come in when somebody says so', async () => {
    expect(await preview(client, synthea, { includeDuplicates: true })).toMatchObject({ new: 555, duplicate: 0 })
    const again = await settled(client, await importFile(client, synthea, { includeDuplicates: true }))
    expect(again).toMatchObject({ created: 555, skipped: 0 })
    expect(await totalOf(client)).toBe(1110)
  })

  test('undo takes back exactly the patients that nobody has touched since', async () => {
    const [one, other] = (await client.get('/api/patients?search=Kirlin&limit=50')).body.filter(
      (patient: { importId: string }) => patient.importId === importId,
    )
    expect((await client.patch(`/api/patients/${one.id}`, { phone: '(617) 555-0123' })).status).toBe(200)
    const deleted =
      other ??
      (await client.get('/api/patients?limit=500')).body.find(
        (patient: { importId: string; id: string }) => patient.importId === importId && patient.id !== one.id,
      )
    expect((await client.delete(`/api/patients/${deleted.id}`)).status).toBe(204)

    expect((await client.post(`/api/patients/import/${importId}/undo`)).status).toBe(202)
    expect(await settled(client, importId)).toMatchObject({ state: 'undone', created: 555, removed: 553, kept: 1 })
    expect(await totalOf(client)).toBe(1110 - 554)
    expect((await client.get(`/api/patients/${one.id}`)).body).toMatchObject({ phoneNational: '(617) 555-0123' })

    // Once more does nothing.
    expect((await client.post(`/api/patients/import/${importId}/undo`)).status).toBe(202)
    expect(await settled(client, importId)).toMatchObject({ state: 'undone', removed: 553, kept: 1 })
    expect(await totalOf(client)).toBe(1110 - 554)
  })

  test('the list of imports begins with the newest', async () => {
    const { body } = await client.get('/api/patients/import')
    expect(body.map(({ state, created }: ImportStatus) => [state, created])).toEqual([
      ['done', 555],
      ['done', 0],
      ['undone', 555],
    ])
  })
})

describe('what a file may hold', () => {
  const people =
    'First Name;Last Name;Geb.;DOB;Cell;Colour\r\n' +
    'José;Gómez;x;13/04/1978;(617) 555-0101;red\r\n' +
    'Jose;GOMEZ;x;13.04.1978;(617) 555-0102;red\r\n' +
    ';Missing;x;01/05/1978;;\r\n' +
    'Ann;"Lee ""Annie""\nChan";x;02/30/1990;;\r\n' +
    'Bob;Ray;x;05/06/1990;(617) 555-0101;\r\n'

  test('is told row by row: new, like an earlier row, wrong', async () => {
    const shown = await preview(await owner(), people)
    expect(shown).toMatchObject({ dateFormat: 'dmy', total: 5, new: 1, duplicate: 2, invalid: 2 })
    expect(shown.rows.map(({ row, status, reasons }) => [row, status, reasons])).toEqual([
      [2, 'new', []],
      [3, 'duplicate', ['Same name and birth date as row 2']],
      [4, 'invalid', ['First name is missing']],
      [5, 'invalid', ['Month 30 does not exist']],
      [6, 'duplicate', ['Same phone number as row 2']],
    ])
    expect(shown.exceptions.map(({ row }) => row)).toEqual([3, 4, 5, 6])
  })

  test('the report says the same', async () => {
    const client = await owner()
    const status = await settled(client, await importFile(client, people))
    expect(status).toMatchObject({ total: 5, done: 5, created: 1, skipped: 2 })
    expect(status.skippedRows.map(({ row }) => row)).toEqual([3, 6])
    expect(status.failed).toEqual([
      { row: 4, reasons: ['First name is missing'] },
      { row: 5, reasons: ['Month 30 does not exist'] },
    ])
    const stored = await app.services.pool.query(`select data from es.events where stream = $1`, [
      `import-${status.importId}`,
    ])
    expect(JSON.stringify(stored.rows)).not.toMatch(/Gómez|GOMEZ|Missing|Annie/)
  })

  test('doubtful dates are asked about, and the import does not start before', async () => {
    const client = await owner()
    const csv = 'first,last,dob\nAda,Ray,03/04/1978\nBob,Ray,05/05/1978\n'
    expect(await preview(client, csv)).toMatchObject({
      dateFormat: null,
      ambiguousDates: [{ row: 2, value: '03/04/1978' }],
      new: 1,
      invalid: 1,
    })
    const refused = await client.post('/api/patients/import', { csv })
    expect(refused.status).toBe(422)
    expect(refused.problem.errors).toEqual([
      { path: 'dateFormat', message: 'Please say whether the month or the day comes first' },
    ])
    expect((await preview(client, csv, { dateFormat: 'mdy' })).rows[0]?.patient.dateOfBirth).toBe('1978-03-04')
    await settled(client, await importFile(client, csv, { dateFormat: 'dmy' }))
    const [ada] = (await client.get('/api/patients?search=Ada')).body
    expect(ada.dateOfBirth).toBe('1978-04-03')
  })

  test('columns can be chosen', async () => {
    const client = await owner()
    const csv = 'A,B,Phone,Phone\nGrace,Hopper,(617) 555-0101,(617) 555-0102\n'
    const recognised = await preview(client, csv)
    expect(recognised.columns.map(({ heading, field }) => [heading, field])).toEqual([
      ['A', null],
      ['B', null],
      ['Phone', 'phone'],
      ['Phone (2)', null],
    ])
    expect((await client.post('/api/patients/import', { csv })).problem.errors).toEqual([
      { path: 'mapping', message: 'Please choose the columns with the first name and the last name' },
    ])
    const mapping = { A: 'firstName', B: 'lastName', 'Phone (2)': 'phone' }
    const chosen = await preview(client, csv, { mapping })
    expect(chosen.columns.map(({ field }) => field)).toEqual(['firstName', 'lastName', null, 'phone'])
    expect(chosen.rows[0]?.patient.phone).toBe('+16175550102')
    const wrong = (more: object) => client.post('/api/patients/import', { csv, mapping: { ...mapping, ...more } })
    expect((await wrong({ C: 'notes' })).problem.errors[0]?.path).toBe('mapping.C')
    expect((await wrong({ Phone: 'phone' })).problem.errors[0]?.path).toBe('mapping.Phone (2)')
    expect((await wrong({ A: 'ssn' })).status).toBe(422)
  })
})

describe('what is refused', () => {
  test.each<[string, unknown, number, string]>([
    ['no file', {}, 422, 'csv'],
    ['an empty file', { csv: '' }, 422, 'csv'],
    ['a file of nothing', { csv: ' \n\n' }, 422, 'csv'],
    ['headings alone', { csv: 'first,last\n' }, 422, 'csv'],
    ['no headings', { csv: 'Ada,Ray,1978-03-04\nBob,Ray,1978-03-05\n' }, 422, 'csv'],
    ['an unclosed quote', { csv: 'first,last\nAda,"Ray\nBob,Ray\n' }, 422, 'csv'],
    ['binary', { csv: 'first,last\nAda,\u0000\u0001\n' }, 422, 'csv'],
    ['half a letter', { csv: 'first,last\nAda,\uD800\n' }, 422, 'csv'],
    ['a line without end', { csv: `first,last\n${'x'.repeat(2_000_000)}` }, 422, 'csv'],
    ['more than 50,000 rows', { csv: `first,last\n${'a,b\n'.repeat(50_001)}` }, 422, 'csv'],
    ['more than 20 MB', { csv: `first,last\n${'a,b\n'.repeat(5_500_000)}` }, 413, 'csv'],
    ['another date format', { csv: 'first,last\na,b\n', dateFormat: 'ydm' }, 422, 'dateFormat'],
    ['an unknown member', { csv: 'first,last\na,b\n', other: 1 }, 422, 'other'],
    ['a number for a file', { csv: 5 }, 422, 'csv'],
  ])('%s', async (_, body, status, path) => {
    const client = await owner()
    for (const endpoint of ['/api/patients/import/preview', '/api/patients/import']) {
      const answer = await client.post(endpoint, body)
      expect([answer.status, answer.problem.errors[0]?.path]).toEqual([status, path])
    }
    expect((await client.get('/api/patients/import')).body).toEqual([])
  })

  test('an unclosed quote names its row', async () => {
    const answer = await (
      await owner()
    ).post('/api/patients/import/preview', { csv: 'first,last\nAda,Ray\nBob,"Ray\n' })
    expect(answer.problem.message).toBe('Row 3: a quotation mark is opened and never closed.')
  })

  test('who is not signed in, and imports of other practices', async () => {
    const client = await owner()
    const importId = await importFile(client, 'first,last\nAda,Ray\n')
    await settled(client, importId)
    const other = await owner()
    const visitor = app.visitor()
    for (const [method, path] of [
      ['GET', `/api/patients/import/${importId}`],
      ['POST', `/api/patients/import/${importId}/undo`],
    ] as const) {
      expect((await other.request(method, path)).status).toBe(404)
      expect((await visitor.request(method, path)).status).toBe(401)
      expect((await client.request(method, path.replace(importId, 'nonsense'))).status).toBe(404)
      expect((await client.request(method, path.replace(importId, crypto.randomUUID()))).status).toBe(404)
    }
    expect((await other.get('/api/patients/import')).body).toEqual([])
    expect((await statusOf(client, importId)).state).toBe('done')
  })
})

test('what another practice has makes no duplicate', async () => {
  const csv = 'first,last,email\nAda,Ray,ada@example.test\n'
  const one = await owner()
  await settled(one, await importFile(one, csv))
  expect(await preview(await owner(), csv)).toMatchObject({ new: 1, duplicate: 0 })
})

test('asked for twice at the same moment, the second import finds everyone there', async () => {
  const client = await owner()
  const ids = await Promise.all([importFile(client, synthea), importFile(client, synthea)])
  const both = await Promise.all(ids.map((id) => settled(client, id)))
  expect(both.map(({ created, skipped }) => [created, skipped]).toSorted()).toEqual([
    [0, 555],
    [555, 0],
  ])
  expect(await totalOf(client)).toBe(555)
})

test('everything that happened is told in the practice’s name and by the person who asked', async () => {
  const { client, user, practice } = await newOwner(app)
  const importId = await importFile(client, importOf(3))
  await settled(client, importId)
  const { rows } = await app.services.pool.query<{ type: string; metadata: string }>(
    `select type, metadata from es.events where stream = $1 or data::jsonb ->> 'importId' = $2 order by position`,
    [`import-${importId}`, importId],
  )
  const metadata = rows.map((row) => JSON.parse(row.metadata))
  expect(metadata.every(({ practiceId, actor }) => practiceId === practice.id && actor.userId === user.id)).toBe(true)
  expect(new Set(metadata.map(({ correlationId }) => correlationId)).size).toBe(1)
  expect(rows.map(({ type }) => type)).toEqual([
    'ImportRequested',
    ...Array.from({ length: 3 }, () => 'PatientRegistered'),
    'ImportProgressed',
    'ImportFinished',
  ])
})
