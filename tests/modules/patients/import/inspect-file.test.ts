import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { itLong, isLongRun } from '#tests/support/long.ts'
import { importFile, preview, settled, statusOf } from './import-fixtures.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const owner = async () => (await newOwner(app)).client

/** Returns the choice of fields as a request has it: a list of headings and fields. */
const chooseFields = (fields: Record<string, string>) =>
  Object.entries(fields).map(([heading, field]) => ({ heading, field }))

describe('what a file may hold', () => {
  const people =
    'First Name;Last Name;Geb.;DOB;Cell;Colour\r\n' +
    'José;Gómez;x;13/04/1978;(617) 555-0101;red\r\n' +
    'Jose;GOMEZ;x;13.04.1978;(617) 555-0102;red\r\n' +
    ';Missing;x;01/05/1978;;\r\n' +
    'Ann;"Lee ""Annie""\nChan";x;02/30/1990;;\r\n' +
    'Bob;Ray;x;05/06/1990;(617) 555-0101;\r\n'

  test('is described row by row: new, like an earlier row, invalid', async () => {
    const shown = await preview(await owner(), people)
    expect(shown).toMatchObject({ dateFormat: 'dmy', total: 5, new: 2, duplicate: 1, question: 0, invalid: 2 })
    expect(shown.rows.map(({ row, status, reasons }) => [row, status, reasons])).toEqual([
      [2, 'new', []],
      [3, 'duplicate', ['Same name and birth date as row 2']],
      [4, 'invalid', ['First name is missing']],
      [5, 'invalid', ['Date of birth “02/30/1990”: month 30 does not exist']],
      // Two people may have one phone.
      [6, 'new', []],
    ])
    expect(shown.exceptions.map(({ row }) => row)).toEqual([3, 4, 5])
  })

  itLong('the report says the same', async () => {
    const client = await owner()
    const status = await settled(client, await importFile(client, people))
    expect(status).toMatchObject({ total: 5, done: 5, created: 2, skipped: 1, leftOutColumns: ['Geb.', 'Colour'] })
    expect(status.skippedRows.map(({ row }) => row)).toEqual([3])
    expect(status.failed).toEqual([
      { row: 4, reasons: ['First name is missing'] },
      { row: 5, reasons: ['Date of birth “02/30/1990”: month 30 does not exist'] },
    ])
    const stored = await app.services.pool.query(`select data from es.events where stream = $1`, [
      `import-${status.importId}`,
    ])
    expect(JSON.stringify(stored.rows)).not.toMatch(/Gómez|GOMEZ|Missing|Annie|Colour|1990/)
  })

  itLong('postal codes without their leading zeros are offered restored, and imported as chosen', async () => {
    const client = await owner()
    const csv = 'first,last,street,city,state,zip\nAda,Ray,1 Main St,Boston,MA,2139\nBob,Ray,2 Elm St,Albany,NY,12203\n'
    const shown = await preview(client, csv)
    expect(shown.shortPostalCodes).toEqual({
      count: 1,
      isLikely: true,
      example: { row: 2, value: '2139', restored: '02139' },
    })
    const addresses = ({ rows }: typeof shown) => rows.map(({ patient }) => patient.address)
    expect(addresses(shown)).toEqual(['1 Main St, Boston, MA 2139', '2 Elm St, Albany, NY 12203'])
    const restored = ['1 Main St, Boston, MA 02139', '2 Elm St, Albany, NY 12203']
    expect(addresses(await preview(client, csv, { restorePostalCodes: true }))).toEqual(restored)
    await settled(client, await importFile(client, csv, { restorePostalCodes: true }))
    const stored = (await client.get('/api/patients')).body as { address: string }[]
    expect(stored.map(({ address }) => address)).toEqual(restored)
    const doubtful = await preview(client, 'first,last,zip\nAda,Ray,2139\nBob,Ray,02140\n')
    expect(doubtful.shortPostalCodes).toMatchObject({ count: 1, isLikely: false })
    expect((await preview(client, 'first,last,zip\nAda,Ray,02139\n')).shortPostalCodes).toBeNull()
  })

  itLong('doubtful dates are asked about, and the import does not start before', async () => {
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

  test('twins of one home are two people, one who is spelled otherwise is a question with its own answer', async () => {
    const client = await owner()
    const home = '(617) 555-0150,silva@example.test,1 Harbor Street'
    const csv = [
      'First Name,Last Name,DOB,Phone,Email,Address',
      `Ana,Silva,2019-05-04,${home}`,
      `Eva,Silva,2019-05-04,${home}`,
      `Anna,Silva,2019-05-04,${home}`,
      ` ANA ,silva,2019-05-04,${home}`,
      `Hanna,Silva,2019-05-04,${home}`,
    ].join('\n')
    const statuses = async (more: object = {}) =>
      (await preview(client, csv, more)).rows.map(({ row, status }) => [row, status])
    expect(await statuses()).toEqual([
      [2, 'new'],
      [3, 'new'],
      [4, 'question'],
      [5, 'duplicate'],
      [6, 'question'],
    ])
    const answers = { addedRows: [4] }
    expect(await statuses(answers)).toContainEqual([4, 'new'])
    expect(await statuses(answers)).toContainEqual([6, 'question'])
    const report = await settled(client, await importFile(client, csv, answers))
    expect(report).toMatchObject({ created: 3, skipped: 2 })
    expect(report.skippedRows).toEqual([
      { row: 5, reasons: ['Same name and birth date as row 2'] },
      { row: 6, reasons: expect.arrayContaining(['Same phone number and a similar name as row 4']) },
    ])
    const names = async () =>
      ((await client.get('/api/patients')).body as { firstName: string }[]).map(({ firstName }) => firstName).toSorted()
    expect(await names()).toEqual(['Ana', 'Anna', 'Eva'])
    // A second run creates nothing.
    expect(await settled(client, await importFile(client, csv, answers))).toMatchObject({ created: 0, skipped: 5 })
    expect(await names()).toEqual(['Ana', 'Anna', 'Eva'])
    for (const addedRows of [[1], ['4'], 4, [4.5]])
      expect((await client.post('/api/patients/import/preview', { csv, addedRows })).status).toBe(422)
  })

  itLong('a further phone number and email are kept in the notes', async () => {
    const client = await owner()
    const csv =
      'Name,Phone,Phone,Email,E-mail,Shoe size\nGrace Hopper,(617) 555-0101,617 555 0102,g@a.example,g@b.example,38\n'
    expect(await settled(client, await importFile(client, csv))).toMatchObject({
      created: 1,
      leftOutColumns: ['Shoe size'],
    })
    const [grace] = (await client.get('/api/patients?search=Hopper')).body
    expect(grace).toMatchObject({
      phone: '+16175550101',
      email: 'g@a.example',
      notes: 'Other phone: 617 555 0102\nOther email: g@b.example',
    })
  })

  itLong('a character that cannot be read is stored nowhere', async () => {
    const client = await owner()
    // What Windows-1252 makes of the byte 81, and a line break of old mainframes.
    const csv = 'first,last,notes\nTom,O’Bri\u0081en,\nAda,Ray,one\u0085two\n'
    const status = await settled(client, await importFile(client, csv))
    expect(status.failed).toEqual([{ row: 2, reasons: ['Last name: contains characters that cannot be stored'] }])
    expect((await client.get('/api/patients')).body).toMatchObject([{ lastName: 'Ray', notes: 'one\ntwo' }])
    const added = await client.post('/api/patients', { firstName: 'Tom', lastName: 'O\uFFFDBrien' })
    expect(added.problem.errors).toEqual([{ path: 'lastName', message: 'Contains characters that cannot be stored' }])
  })

  test('columns can be chosen', async () => {
    const client = await owner()
    const csv = 'A,B,Phone,Phone\nGrace,Hopper,(617) 555-0101,(617) 555-0102\n'
    const recognized = await preview(client, csv)
    expect(recognized.columns.map(({ heading, field }) => [heading, field])).toEqual([
      ['A', null],
      ['B', null],
      ['Phone', 'phone'],
      ['Phone (2)', 'otherPhone'],
    ])
    expect((await client.post('/api/patients/import', { csv })).problem.errors).toEqual([
      { path: 'mapping', message: 'Please choose the columns with the first name and the last name' },
    ])
    const mapping = chooseFields({ A: 'firstName', B: 'lastName', 'Phone (2)': 'phone' })
    const chosen = await preview(client, csv, { mapping })
    expect(chosen.columns.map(({ field }) => field)).toEqual(['firstName', 'lastName', null, 'phone'])
    expect(chosen.rows[0]?.patient.phone).toBe('+16175550102')
    const wrong = (more: Record<string, string>) =>
      client.post('/api/patients/import', { csv, mapping: [...mapping, ...chooseFields(more)] })
    expect((await wrong({ C: 'notes' })).problem.errors[0]?.path).toBe('mapping.C')
    expect((await wrong({ Phone: 'phone' })).problem.errors[0]?.path).toBe('mapping.Phone')
    expect((await wrong({ A: 'ssn' })).status).toBe(422)
  })
})

describe('what is refused', () => {
  const tooLarge: [string, unknown, number, string] = [
    'more than 20 MB',
    { csv: `first,last\n${'a,b\n'.repeat(5_500_000)}` },
    413,
    'csv',
  ]
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
    ['another date format', { csv: 'first,last\na,b\n', dateFormat: 'ydm' }, 422, 'dateFormat'],
    ['an unknown member', { csv: 'first,last\na,b\n', other: 1 }, 422, 'other'],
    ['a number for a file', { csv: 5 }, 422, 'csv'],
    ...(isLongRun ? [tooLarge] : []),
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
    const visitor = app.newClient()
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
