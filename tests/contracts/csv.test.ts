import { expect, it } from 'vitest'
import { formatCsvCell } from '#contracts/values/csv.ts'

it.each([
  ['plain', 'plain'],
  ['two, three', '"two, three"'],
  ['two; three', '"two; three"'],
  ['a "word"', '"a ""word"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['=A1;B1', `"'=A1;B1"`],
])('%j is the cell %s', (value, cell) => {
  expect(formatCsvCell(value)).toBe(cell)
})
