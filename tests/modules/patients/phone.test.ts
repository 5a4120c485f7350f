import { describe, expect, it } from 'vitest'
import { dialingCountry, formatNationalPhone, readPhone } from '#modules/patients/phone.ts'

describe('a phone number', () => {
  it.each([
    ['(617) 555-0123', '+16175550123'],
    ['617.555.0123', '+16175550123'],
    ['1-617-555-0123', '+16175550123'],
    ['+44 20 7946 0018', '+442079460018'],
    ['６１７５５５０１２３', '+16175550123'],
  ])('%s is kept as %s', (typed, e164) => {
    expect(readPhone(typed)).toEqual({ status: 'number', e164 })
  })

  it.each(['555-0123', 'abc', '911', '+1 617', '+1617555012345', 'call 617 555 0123', '0'.repeat(40), '+', '🙂'])(
    '%s is none',
    (typed) => {
      expect(readPhone(typed)).toMatchObject({ status: 'refused', message: 'Please enter a valid phone number' })
    },
  )

  it('is asked for without its extension, which would be lost', () => {
    expect(readPhone('617 555 0123 ext. 12')).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('extension'),
    })
  })

  it('is of the country of the practice when it has no +', () => {
    expect(dialingCountry('(617) 555-0100')).toBe('US')
    expect(dialingCountry(null)).toBe('US')
    expect(dialingCountry('+49 30 901820')).toBe('DE')
    expect(readPhone('030 901820', 'DE')).toEqual({ status: 'number', e164: '+4930901820' })
  })

  it('is shown as people of its country write it', () => {
    expect(formatNationalPhone('+16175550123')).toBe('(617) 555-0123')
    expect(formatNationalPhone('+442079460018')).toBe('020 7946 0018')
  })
})
