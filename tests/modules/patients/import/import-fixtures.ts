import { expect } from 'vitest'
import type { ImportPreview, ImportStatus } from '#contracts/patient-import.ts'
import type { Client } from '#tests/support/client.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

/** Returns the preview of a file. */
export async function preview(client: Client, csv: string, more: object = {}): Promise<ImportPreview> {
  const answer = await client.post('/api/patients/import/preview', { csv, ...more })
  expect([answer.status, answer.problem.message]).toEqual([200, undefined])
  return answer.body
}

/** Asks for an import and answers its id. */
export async function importFile(client: Client, csv: string, more: object = {}): Promise<string> {
  const answer = await client.post('/api/patients/import', { csv, ...more })
  expect([answer.status, answer.problem.message]).toEqual([202, undefined])
  return answer.body.importId
}

export const statusOf = async (client: Client, importId: string): Promise<ImportStatus> =>
  (await client.get(`/api/patients/import/${importId}`)).body

/** Waits until nothing is left to do, as the screen does. */
export async function settled(client: Client, importId: string): Promise<ImportStatus> {
  return await waitUntil(
    () => statusOf(client, importId),
    ({ state }) => state === 'done' || state === 'undone',
  )
}

/** A file of so many different people. */
export const importOf = (rows: number): string =>
  [
    'First name,Last name,Date of birth',
    ...Array.from({ length: rows }, (_, row) => `Ada,Ray${row},1980-01-${String((row % 28) + 1).padStart(2, '0')}`),
  ].join('\n')
