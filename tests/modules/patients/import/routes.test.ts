import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportStatus } from '#contracts/patient-import.ts'
import { ImportId, type PracticeId } from '#contracts/values/ids.ts'
import { namesakeKey } from '#modules/patients/import/duplicates.ts'
import { patientImports } from '#modules/patients/import/projection.ts'
import {
  deleteImportFile,
  findExistingKeys,
  findOldImportFiles,
  readImportFile,
  storeImportFile,
} from '#modules/patients/import/queries.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { newOwner } from '#tests/support/practice.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { importFile, importOf, preview, settled } from './import-fixtures.ts'
import { itLong } from '#tests/support/long.ts'

const synthea = readFileSync('tests/fixtures/patients-synthea.csv', 'utf8')

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const owner = async () => (await newSubscriber(app)).client

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
    expect(shown.columns).toContainEqual({ heading: 'FIRST', field: 'firstName', sample: 'Theda286', isCertain: true })
    expect(shown.columns).toContainEqual({ heading: 'SSN', field: null, sample: '999-53-8325', isCertain: true })
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
    // The file is deleted after the event that ends the import.
    await expect
      .poll(async () => (await app.services.pool.query('select import_id from app.import_files')).rows)
      .toEqual([])
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

  test('imports duplicates when the user chooses so', async () => {
    expect(await preview(client, synthea, { includeDuplicates: true })).toMatchObject({ new: 555, duplicate: 0 })
    const again = await settled(client, await importFile(client, synthea, { includeDuplicates: true }))
    expect(again).toMatchObject({ created: 555, skipped: 0 })
    expect(await totalOf(client)).toBe(1110)
  })

  test('undo removes exactly the patients that were not edited since', async () => {
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

test('a name, phone number or email that another practice has makes no duplicate', async () => {
  const head = 'first,last,phone,email\n'
  const one = await owner()
  await settled(one, await importFile(one, `${head}Ada,Ray,(617) 555-0101,ada@example.test\n`))
  const alike = `${head}Ada,Ray,,\nAdah,Ray,(617) 555-0101,\nAda,Raye,,ada@example.test\n`
  expect(await preview(one, alike)).toMatchObject({ new: 0, duplicate: 1, question: 2 })
  expect(await preview(await owner(), alike)).toMatchObject({ new: 3, duplicate: 0, question: 0 })
})

test('patients of the same import make no duplicate: an earlier attempt may have stopped in the middle', async () => {
  const { client, practice } = await newOwner(app)
  const csv = 'first,last,birthdate,phone,email\nTom,Becker,1984-09-30,(617) 555-0101,tom@example.test\n'
  const importId = ImportId.parse(await importFile(client, csv))
  await settled(client, importId)
  const likeness = {
    namesake: namesakeKey('tom becker', '1984-09-30'),
    phone: '+16175550101',
    email: 'tom@example.test',
  }
  const find = (asking: ImportId | null) => findExistingKeys(app.services.pool, practice.id, asking, [likeness])
  const [none, all] = [new Map(), { phone: [likeness.phone], email: [likeness.email] }]
  expect(await find(importId)).toEqual({ namesake: new Set(), phone: none, email: none })
  for (const asking of [null, ImportId.parse(importId.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))]) {
    const found = await find(asking)
    expect({ phone: [...found.phone.keys()], email: [...found.email.keys()] }).toEqual(all)
    expect([...found.namesake]).toEqual([likeness.namesake])
  }
})

itLong('asked for twice at the same moment, the second import finds everyone there', async () => {
  const client = await owner()
  const ids = await Promise.all([importFile(client, synthea), importFile(client, synthea)])
  const both = await Promise.all(ids.map((id) => settled(client, id)))
  expect(both.map(({ created, skipped }) => [created, skipped]).toSorted()).toEqual([
    [0, 555],
    [555, 0],
  ])
  expect(await totalOf(client)).toBe(555)
})

test('every event belongs to the practice and to the user who requested the import', async () => {
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

test('the list of imports is the same after a rebuild', async () => {
  const live = await readTableRows(app.services.pool, patientImports)
  expect(live.length).toBeGreaterThan(3)
  expect(live).toEqual(await foldRows(app.services.store, patientImports))
})

test('the preview and the import know patients who were added by hand', async () => {
  const client = await owner()
  await client.post('/api/patients', { firstName: 'Tom', lastName: 'Becker', dateOfBirth: '1984-09-30' })
  const csv = 'Given name;Surname;DOB\nTom;Becker;30/09/1984\nAmelia;Okonkwo;13/04/1978\n'
  expect(await preview(client, csv)).toMatchObject({
    new: 1,
    duplicate: 1,
    rows: [
      { status: 'duplicate', reasons: ['Same name and birth date as a patient who is already here'] },
      { status: 'new' },
    ],
  })
  const { body } = await client.post('/api/patients/import', { csv })
  expect(await settled(client, body.importId)).toMatchObject({ created: 1, skipped: 1 })
})

describe('files that wait for their import', () => {
  const newImportId = () => ImportId.parse(randomUUID())

  test('are at most five of a practice, and a repeated request finds its own', async () => {
    const { services } = app
    const [one, other] = [(await newOwner(app)).practice.id, (await newOwner(app)).practice.id]
    const importIds = Array.from({ length: 5 }, newImportId)
    const store = (importId: ImportId, practiceId: PracticeId) =>
      storeImportFile(services, importId, practiceId, `file ${importId}`)
    for (const importId of importIds) expect(await store(importId, one)).toBe('kept')
    const sixth = newImportId()
    expect(await store(sixth, one)).toBe('too-many')
    expect(await readImportFile(services, sixth)).toBeNull()
    for (const importId of importIds) expect(await store(importId, one)).toBe('kept')
    expect(await store(sixth, other)).toBe('kept')
    for (const importId of [...importIds, sixth]) {
      expect(await readImportFile(services, importId)).toBe(`file ${importId}`)
      await deleteImportFile(services.pool, importId)
    }
  })

  test('are old after ten minutes, and not before', async () => {
    const { services } = app
    const { practice } = await newOwner(app)
    const [fresh, old] = [newImportId(), newImportId()]
    for (const importId of [fresh, old]) await storeImportFile(services, importId, practice.id, 'file')
    const setAge = 'update app.import_files set created_at = now() - $2::interval where import_id = $1'
    await services.pool.query(setAge, [fresh, '9 minutes'])
    await services.pool.query(setAge, [old, '36 hours'])
    const found = (await findOldImportFiles(services.pool)).filter(({ importId }) => [fresh, old].includes(importId))
    expect(found).toEqual([{ importId: old, days: expect.closeTo(1.5, 2) }])
    for (const importId of [fresh, old]) await deleteImportFile(services.pool, importId)
  })
})
