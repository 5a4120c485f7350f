import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseInstant } from '#database/parse-instant.ts'

const parts = fc.record({
  at: fc.date({ min: new Date('0001-01-01T00:00Z'), max: new Date('9999-12-31T00:00Z'), noInvalidDate: true }),
  micros: fc.integer({ min: 0, max: 999_999 }),
  offset: fc.constantFrom('+00', '+01', '-05', '+05:45', '+00:30'),
})

it('is the same as parsing and formatting a date, in every time zone of a connection', () => {
  fc.assert(
    fc.property(parts, ({ at, micros, offset }) => {
      const iso = at.toISOString()
      // PostgreSQL leaves out zeros at the end.
      const fraction = micros === 0 ? '' : `.${String(micros).padStart(6, '0').replace(/0+$/, '')}`
      const text = `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction}${offset}`
      expect(parseInstant(text)).toBe(new Date(text).toISOString())
    }),
  )
})

it.each(['infinity', '-infinity', ''])('throws for %s', (text) => {
  expect(() => parseInstant(text)).toThrow(RangeError)
})
