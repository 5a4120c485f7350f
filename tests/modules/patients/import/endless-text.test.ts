import { beforeAll, describe, expect, test } from 'vitest'
import { type ImportField, ImportRequest } from '#contracts/patient-import.ts'
import { inspectFile } from '#modules/patients/import/inspect-file.ts'
import { readRow } from '#modules/patients/import/parse-row.ts'
import { measureThreadCpuMs } from '#tests/support/cpu-time.ts'

/*
 * One process serves all practices: a cell that takes a minute blocks all other requests for a minute. Each text
 * is as long as a row may be, and made to send a search back to its start again and again.
 */
const length = 120_000
const endless: Record<string, string> = {
  digits: `A 1${'1'.repeat(length)}x`,
  blanks: `A 1${' '.repeat(length)}x`,
  separators: `${';-'.repeat(length / 2)}x`,
  'a time': `1 1:11${' '.repeat(length)}x`,
  'an e-mail address': `a@${'.'.repeat(length)}@`,
  brackets: '('.repeat(length),
}
const fields: ImportField[] = ['fullName', 'dateOfBirth', 'gender', 'email', 'phone', 'emergencyContact', 'allergies']
/**
 * Milliseconds of processor time. A search that starts over at every character takes a hundred times as long for the whole
 * text as for a tenth of it, so the limit is a tenth of that, however fast the machine is.
 */
const everyReading = { today: '2026-11-20', country: 'US', restorePostalCodes: true } as const
let enough: number
beforeAll(async () => {
  enough = 10 * (await measureThreadCpuMs(() => / +x/.test(' '.repeat(length / 10))))
})

describe.each(Object.entries(endless))('a cell with endless %s', (_, cell) => {
  test.each(fields)('is refused or taken as %s at once', async (field) => {
    const reading = { ...everyReading, columns: [field], dateFormat: 'mdy' } as const
    expect(await measureThreadCpuMs(() => readRow({ row: 2, cells: [cell] }, reading))).toBeLessThan(enough)
  })

  test.each(['DOB', 'Colour'])('tells at once nothing about a column %s', async (heading) => {
    const csv = `First,Last,${heading}\nAda,Ray,"${cell}"\n`
    expect(await measureThreadCpuMs(() => inspectFile(csv, (columns) => columns))).toBeLessThan(enough)
  })
})

test('a contact that is too long says so', () => {
  const columns = ['firstName', 'lastName', 'emergencyContact'] as const
  const cells = ['Ada', 'Ray', 'x'.repeat(501)]
  const { reasons } = readRow({ row: 2, cells }, { ...everyReading, columns, dateFormat: 'iso' })
  expect(reasons).toEqual(['Emergency contact: at most 100 characters'])
})

test('a mapping of more columns than a file can have is refused before its entries are looked at', async () => {
  const mapping = Array.from({ length: 300_000 }, (_, index) => ({ heading: `c${index}`, field: 'nonsense' }))
  const took = await measureThreadCpuMs(() => {
    const { error } = ImportRequest.safeParse({ csv: 'First,Last\nAda,Ray\n', mapping })
    expect(error?.issues.map(({ path }) => path)).toEqual([['mapping']])
  })
  expect(took).toBeLessThan(enough)
})
