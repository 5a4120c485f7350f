import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  parseExpiry,
  formatCardNumber,
  formatCvc,
  formatExpiry,
  reformatInput,
} from '#web/features/billing/card/card-format.ts'
import { validateCard } from '#web/features/billing/card/card-values.ts'

const digitsOf = (text: string) => text.replaceAll(/\D/g, '')

describe('a card number', () => {
  it.each([
    ['', ''],
    ['4', '4'],
    ['4242', '4242'],
    ['42424', '4242 4'],
    ['4242424242424242', '4242 4242 4242 4242'],
    ['378282246310005', '3782 822463 10005'],
    ['6304000000000000000', '6304 0000 0000 0000 000'],
  ])('%s is shown as "%s"', (digits, shown) => {
    expect(formatCardNumber(digits)).toBe(shown)
  })

  it('keeps all digits in order when it is grouped, for any input', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const { text: shown } = reformatInput(formatCardNumber, { text, caret: text.length })
        const digits = digitsOf(text)
        expect(digits.slice(0, /^3[47]/.test(digits) ? 15 : 19)).toBe(digitsOf(shown))
        expect(shown).toBe(shown.trim())
        expect(reformatInput(formatCardNumber, { text: shown, caret: shown.length }).text).toBe(shown)
      }),
    )
  })

  it('keeps the caret behind the typed digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{1,15}$/), fc.nat(), fc.constantFrom('1', '7'), (digits, at, typed) => {
        const before = formatCardNumber(digits)
        const place = at % (before.length + 1)
        const text = before.slice(0, place) + typed + before.slice(place)
        const next = reformatInput(formatCardNumber, { text, caret: place + 1 })
        expect(digitsOf(next.text.slice(0, next.caret))).toBe(digitsOf(text.slice(0, place + 1)).slice(0, 19))
      }),
    )
  })
})

describe('an expiry', () => {
  it.each([
    ['1', '1'],
    ['8', '08'],
    ['12', '12'],
    ['129', '12 / 9'],
    ['1229', '12 / 29'],
    ['829', '08 / 29'],
    ['082029', '08 / 29'],
    ['12299', '12 / 29'],
  ])('%s is shown as "%s"', (digits, shown) => {
    expect(formatExpiry(digits)).toBe(shown)
  })

  it('parses to a month and a four-digit year once complete', () => {
    expect(parseExpiry('08 / 29')).toEqual({ expMonth: 8, expYear: 2029 })
    for (const text of ['', '08', '08 / 2', '8 / 29']) expect(parseExpiry(text)).toBeNull()
  })
})

it('a security code has at most four digits', () => {
  expect(reformatInput(formatCvc, { text: '12a345', caret: 6 })).toEqual({ text: '1234', caret: 4 })
})

describe('card validation', () => {
  const validCard = { cardNumber: '4242 4242 4242 4242', expiry: '08 / 29', cvc: '123' }
  const now = new Date('2026-11-21T12:00:00')

  it('accepts a valid card', () => {
    expect(validateCard(validCard, now)).toEqual({})
    expect(validateCard({ ...validCard, expiry: '11 / 26' }, now)).toEqual({})
  })

  it.each([
    [{ cardNumber: '' }, { cardNumber: 'Your card number is incomplete.' }],
    [{ cardNumber: '4242 4242 4242 4243' }, { cardNumber: 'Your card number is invalid.' }],
    [{ expiry: '08' }, { expiry: "Your card's expiration date is incomplete." }],
    [{ expiry: '13 / 29' }, { expiry: "Your card's expiration month is invalid." }],
    [{ expiry: '10 / 26' }, { expiry: "Your card's expiration date is in the past." }],
    [{ cvc: '1' }, { cvc: "Your card's security code is incomplete." }],
  ])('reports the error for its field: %o', (changes, errors) => {
    expect(validateCard({ ...validCard, ...changes }, now)).toEqual(errors)
  })
})
