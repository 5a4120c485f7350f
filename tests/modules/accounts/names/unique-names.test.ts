import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientNetwork } from '#http/client-network.ts'
import { normalizeUsername } from '#modules/accounts/names/unique-names.ts'
import { normalizeEmail } from '#modules/kit/normalize-email.ts'

describe('e-mail addresses and usernames', () => {
  it.each([
    ['Ada@Example.TEST', 'ada@example.test'],
    ['ａｄａ@example.test', 'ada@example.test'],
  ])('%s and %s are one address', (one, other) => expect(normalizeEmail(one)).toBe(normalizeEmail(other)))

  it.each([
    ['Ada', 'ADA'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'Straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['Jose\u0301', 'josé'],
    ['ﬁna', 'FINA'],
  ])('%s and %s are one username', (one, other) => expect(normalizeUsername(one)).toBe(normalizeUsername(other)))

  it.each([
    ['ada', 'ada.'],
    ['ada', 'adà'],
  ])('%s and %s are two', (one, other) => expect(normalizeUsername(one)).not.toBe(normalizeUsername(other)))

  it('fold the case of every character', () => {
    const differing = []
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue
      const character = String.fromCodePoint(codePoint)
      const name = normalizeUsername(character)
      const forms = [name, character.toUpperCase(), character.toLowerCase()]
      if (forms.some((form) => normalizeUsername(form) !== name)) differing.push(character)
    }
    expect(differing).toEqual([])
  })

  it('fold case, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (name) => {
        expect(normalizeUsername(name.toUpperCase())).toBe(normalizeUsername(name))
        expect(normalizeUsername(normalizeUsername(name))).toBe(normalizeUsername(name))
      }),
    )
  })
})

describe('a client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s counts as %s', (address, key) => expect(clientNetwork(address)).toBe(key))
})
