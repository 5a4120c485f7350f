import { describe, expect, it } from 'vitest'
import { canReceiveTexts, extractPhoneDigits, formatWithCountry, parseStoredPhone } from '#contracts/values/phone.ts'
import { dialingCountry, findInternationalDigits, formatNationalPhone, readPhone } from '#modules/patients/phone.ts'

describe('a phone number', () => {
  it.each([
    ['(617) 555-0123', '+16175550123'],
    ['617.555.0123', '+16175550123'],
    ['1-617-555-0123', '+16175550123'],
    ['+44 20 7946 0018', '+442079460018'],
    ['６１７５５５０１２３', '+16175550123'],
    ['(212) 555-0123 x45', '+12125550123;ext=45'],
    ['617 555 0123 ext. 12', '+16175550123;ext=12'],
  ])('%s is kept as %s', (typed, stored) => {
    expect(readPhone(typed)).toEqual({ status: 'number', stored })
  })

  const mobile = '+447700900123'
  it.each([
    ['0044 7700 900123', 'US'],
    ['011 44 7700 900123', 'US'],
    ['011 44 7700 900123', 'GB'],
    ['+44 (0)7700 900123', 'US'],
    ['00 44 (0) 7700 900123', 'US'],
    ['+44 07700 900123', 'US'],
    ['+44 7700 900123', 'DE'],
    ['07700 900123', 'GB'],
  ] as const)('is one, however it is written: %s in %s', (typed, country) => {
    expect(readPhone(typed, country)).toEqual({ status: 'number', stored: mobile })
  })

  it.each([
    ['555-0123', 'US'],
    ['555-0123', 'GB'],
    ['+1 617', 'US'],
    ['+1617555012345', 'US'],
    ['(123) 456-7890', 'US'],
    ['12345', 'US'],
  ] as const)('that cannot be dialed is kept as typed, and becomes no other one: %s in %s', (typed, country) => {
    expect(readPhone(typed, country)).toEqual({ status: 'kept', stored: typed })
    expect(parseStoredPhone(typed)).toEqual({ number: null, extension: null })
    expect(canReceiveTexts(typed)).toBe(false)
    expect(formatNationalPhone(typed)).toBe(typed)
  })

  it.each(['abc', '911', 'call 617 555 0123', '0'.repeat(40), '+', '🙂', '12'])('%s is none', (typed) => {
    expect(readPhone(typed)).toMatchObject({ status: 'refused', message: 'Please enter a valid phone number' })
  })

  it('receives no texts behind an extension', () => {
    expect(canReceiveTexts('+12125550123')).toBe(true)
    expect(canReceiveTexts('+12125550123;ext=45')).toBe(false)
  })

  it('is of the country of the practice when it has no +', () => {
    expect(dialingCountry('(617) 555-0100')).toBe('US')
    expect(dialingCountry(null)).toBe('US')
    expect(dialingCountry('+49 30 901820')).toBe('DE')
    expect(readPhone('030 901820', 'DE')).toEqual({ status: 'number', stored: '+4930901820' })
  })

  it('is shown as people of its country write it, and read again as the same', () => {
    expect(formatNationalPhone('+16175550123')).toBe('(617) 555-0123')
    expect(formatNationalPhone('+442079460018')).toBe('020 7946 0018')
    for (const stored of ['+442079460018', '+442079460018;ext=7', '+16175550123;ext=12']) {
      expect(readPhone(formatWithCountry(stored))).toEqual({ status: 'number', stored })
      const country = stored.startsWith('+44') ? 'GB' : 'US'
      expect(readPhone(formatNationalPhone(stored), country)).toEqual({ status: 'number', stored })
    }
  })

  it('is found by its digits without the extension', () => {
    expect(extractPhoneDigits('+12125550123;ext=45')).toBe('12125550123')
    expect(extractPhoneDigits('555-0123')).toBe('5550123')
    for (const typed of ['0044 7700 900123', '011 44 7700 900123', '+44 (0)7700 900123', '+44 07700 900123'])
      expect(findInternationalDigits(typed)).toBe('447700900123')
    for (const typed of ['617 555', '+44 7700 900123']) expect(findInternationalDigits(typed)).toBeNull()
  })
})
