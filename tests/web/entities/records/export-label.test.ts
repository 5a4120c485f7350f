import { expect, it } from 'vitest'
import { getExportLabel } from '#web/entities/records/export-label.ts'

it.each([
  [null, 'Export'],
  [0, 'Export'],
  [10_000, 'Export'],
  [10_001, 'Export newest 10,000'],
])('the button that exports %o records says what is in the file', (total, label) => {
  expect(getExportLabel(total)).toBe(label)
})
