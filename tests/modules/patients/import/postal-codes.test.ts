import { describe, expect, it } from 'vitest'
import { restorePostalCode } from '#modules/patients/import/postal-codes.ts'

const restore = (postalCode: string, state = '', country = '') => restorePostalCode({ postalCode, state, country })

describe('a postal code without its leading zeros', () => {
  it.each([
    ['2139', 'MA', '', '02139'],
    ['2139', 'Massachusetts', 'United States', '02139'],
    ['2139-4307', 'ma', 'US', '02139-4307'],
    ['7030', 'N.J.', 'U.S.A.', '07030'],
    ['601', 'PR', '', '00601'],
    ['2139', '', 'USA', '02139'],
  ])('%s in %s, %s is certainly %s', (value, state, country, postalCode) => {
    expect(restore(value, state, country)).toEqual({ postalCode, isCertain: true })
  })

  it('is possible without state and country', () => {
    expect(restore('2139')).toEqual({ postalCode: '02139', isCertain: false })
  })

  it.each([
    ['02139', 'MA', ''],
    ['12345', 'NY', ''],
    // Another state, and other countries, in which postal codes have four digits.
    ['2139', 'NJ', ''],
    ['2139', 'Bern', ''],
    ['3011', '', 'Switzerland'],
    ['2139', 'MA', 'Australia'],
    ['12', 'MA', ''],
    ['123', '', ''],
    ['21394307', 'MA', ''],
    ['M5V 2T6', '', ''],
  ])('%s in %s, %s stays', (value, state, country) => {
    expect(restore(value, state, country)).toBeNull()
  })
})
