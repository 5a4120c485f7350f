import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#tests/support/client.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { importFile, preview, settled } from './import-fixtures.ts'

const csv = 'First name,Last name,Allergies,PMH,Meds\nGrace,Hopper,Penicillin,Asthma,Aspirin\n'
const clinical = ['Allergies', 'PMH', 'Meds']

let app: TestApp
let owner: Client
let staff: Client
let nurse: Client
beforeAll(async () => {
  app = await startTestApp()
  const { client, practice } = await newOwner(app)
  owner = client
  staff = await joinPractice(app, practice.id, 'staff')
  nurse = await joinPractice(app, practice.id, 'nurse')
})
afterAll(() => app.dispose())

const fieldsFor = async (client: Client) => (await preview(client, csv)).columns.map(({ field }) => field)

test('who may not write clinical data gets such columns left out', async () => {
  expect(await fieldsFor(staff)).toEqual(['firstName', 'lastName', null, null, null])
  expect(await fieldsFor(nurse)).toEqual(['firstName', 'lastName', 'allergies', 'medicalHistory', 'medications'])
})

test('and may not ask for them', async () => {
  for (const path of ['/api/patients/import', '/api/patients/import/preview'])
    for (const heading of clinical) {
      const refused = await staff.post(path, { csv, mapping: [{ heading, field: 'allergies' }] })
      expect([refused.status, refused.problem.errors[0]?.path]).toEqual([403, `mapping.${heading}`])
    }
  expect((await owner.get('/api/patients/import')).body).toEqual([])
})

test('what they import has none of it', async () => {
  const importId = await importFile(staff, csv)
  expect(await settled(staff, importId)).toMatchObject({ created: 1 })
  const [grace] = (await owner.get('/api/patients')).body
  expect(grace).toMatchObject({ firstName: 'Grace', allergies: [], medications: [], medicalHistory: null, importId })
  // A colleague of the same practice may take it back.
  await nurse.post(`/api/patients/import/${importId}/undo`)
  expect(await settled(nurse, importId)).toMatchObject({ state: 'undone', removed: 1 })
})

test('a nurse brings everything', async () => {
  await settled(nurse, await importFile(nurse, csv))
  expect((await owner.get('/api/patients')).body).toMatchObject([
    {
      allergies: ['Penicillin'],
      medicalHistory: 'Asthma',
      medications: [{ name: 'Aspirin', dosage: null, frequency: null }],
    },
  ])
})
