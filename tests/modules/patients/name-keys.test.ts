import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameKey } from '#modules/kit/name-key.ts'
import { fullNameKey, searchWords, sortKey, splitWords } from '#modules/patients/name-keys.ts'

describe('names', () => {
  it.each([
    ['José Gómez', 'jose gomez'],
    ['JOSE   gomez', 'jose gomez'],
    ['O’Brien', 'obrien'],
    ["O'Brien", 'obrien'],
    ['D´Arcy', 'darcy'],
    ["Ka'a'awa", 'kaaawa'],
    ['Kaʻaʻawa', 'kaaawa'],
    ['O′Neil', 'oneil'],
    ['Oʼneil', 'oneil'],
    ['O`Neil', 'oneil'],
    ['´', '´'],
    ['Smith-Jones', 'smith jones'],
    ['St. John', 'st john'],
    ['Łukasz Straße', 'lukasz strasse'],
    ['Nguyễn', 'nguyen'],
    ['Ἀθηνᾶ', 'αθηνα'],
    ['Фёдор', 'федор'],
    ['가나', '가나'],
    ['が', 'が'],
    ['🙂', '🙂'],
    ['%', '%'],
  ])('%s is %s', (name, key) => {
    expect(nameKey(name)).toBe(key)
  })

  it('are the same however they are encoded, and stay what they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), (name) => {
        const key = nameKey(name)
        expect(nameKey(name.normalize('NFD'))).toBe(key)
        expect(nameKey(name.normalize('NFC'))).toBe(key)
        if (name.trim() !== '') expect(key).not.toBe('')
        expect(key.isWellFormed()).toBe(true)
      }),
    )
  })

  it('that are plain are treated as all others are', () => {
    const plain = fc.stringMatching(/^[A-Za-z0-9]{1,12}( [A-Za-z0-9]{1,12}){0,2}$/)
    fc.assert(
      fc.property(plain, plain, (firstName, lastName) => {
        // The full stop takes the long way, and counts for nothing.
        const dotted = (name: string) => name.replaceAll(' ', '. ').concat('.')
        expect(nameKey(firstName)).toBe(nameKey(dotted(firstName)))
        expect(splitWords(firstName)).toEqual(splitWords(dotted(firstName)))
        const email = `${firstName}_x@${lastName}.example`
        expect(searchWords(firstName, lastName, email)).toEqual(
          searchWords(dotted(firstName), dotted(lastName), `${email}\u00a0`),
        )
      }),
    )
  })

  it('are found by their words, their beginnings and the pieces of an e-mail', () => {
    expect(searchWords('Al', 'Lee', 'al@x.example')).toEqual([
      'al',
      'lee',
      'a*',
      'al*',
      'l*',
      'le*',
      'lee*',
      '@al',
      '@x',
      '@example',
    ])
  })

  it('of several words are found as one, too', () => {
    expect(searchWords('Ana', 'Van Kirk', null)).toEqual(expect.arrayContaining(['van', 'kirk', 'vankirk', 'van*']))
    expect(searchWords('Tom', 'D´Arcy', null)).toContain('darcy')
  })

  it('with a number are found without it', () => {
    expect(splitWords('Runolfsdottir785')).toEqual(['runolfsdottir785', 'runolfsdottir'])
    expect(splitWords('X5')).toEqual(['x5'])
  })

  it('are sorted by the last name, and are namesakes by both', () => {
    expect(sortKey('José', 'Gómez')).toBe('gomez jose')
    expect(fullNameKey('José', 'Gómez')).toBe(fullNameKey('JOSE', 'gomez'))
    expect(fullNameKey('Mary-Ann', 'Van Kirk')).toBe(fullNameKey('Mary Ann', 'vankirk'))
    expect(fullNameKey('Jo', 'Se')).not.toBe(fullNameKey('Jos', 'E'))
  })
})
