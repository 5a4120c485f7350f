import { expect, it } from 'vitest'
import { z } from 'zod'
import { ImportRequest } from '#contracts/patient-import.ts'

it('documents the defect of V8 for which no text of a user is a JSON key', () => {
  // Fails when Node no longer has the defect: then the architecture rule about `z.record` and this test can go.
  JSON.parse(String.raw`{"first of this test":1,"\\":2}`)
  const keys = Object.keys(JSON.parse(String.raw`{"first of this test":1,"\t":2}`) as object)
  expect(keys).toEqual(['first of this test', '\\'])
})

it('lets headings of an import be any text', () => {
  const mapping = [
    { heading: '\t', field: 'firstName' },
    { heading: '\\', field: null },
    { heading: '__proto__', field: 'lastName' },
  ]
  const sent = JSON.parse(JSON.stringify({ csv: 'x', mapping })) as unknown
  expect(ImportRequest.parse(sent).mapping).toEqual(mapping)
  expect(z.safeParse(ImportRequest, { csv: 'x', mapping: { A: 'firstName' } }).success).toBe(false)
})
