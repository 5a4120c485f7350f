import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxTypingErrors, nearest, readSearch, typoVariants, typingErrors } from '#modules/patients/search-terms.ts'

describe('the text of a search', () => {
  const name = (...words: string[]) => expect.objectContaining({ kind: 'name', words })
  it.each<[string, unknown[]]>([
    ['jose GÓMEZ', [name('jose'), name('gomez')]],
    ["O'Brien", [name('obrien')]],
    ['Smith-Jones', [name('smith', 'jones')]],
    ['1996-02-24', [{ kind: 'birth-date', date: '1996-02-24' }]],
    // A year that PostgreSQL does not know is a number like any other.
    ['0000-01-01', [{ kind: 'phone', digits: '00000101' }]],
    ['2/24/1996', [{ kind: 'birth-date', date: '1996-02-24' }]],
    ['24.2.1996', [{ kind: 'birth-date', date: '1996-02-24' }]],
    ['Feb 24, 1996', [{ kind: 'birth-date', date: '1996-02-24' }]],
    ['hopper february 24th 1996', [name('hopper'), { kind: 'birth-date', date: '1996-02-24' }]],
    ['24 Feb 1996', [{ kind: 'birth-date', date: '1996-02-24' }]],
    ['Feb 30, 1996', [name('feb'), { kind: 'phone', digits: '301996' }]],
    ['may 3', [name('may'), name('3')]],
    ['june 617 555', [name('june'), { kind: 'phone', digits: '617555' }]],
    ['617 555', [{ kind: 'phone', digits: '617555' }]],
    ['(617) 555-0123', [{ kind: 'phone', digits: '6175550123' }]],
    ['+1 617', [{ kind: 'phone', digits: '1617' }]],
    ['lee 555-01', [name('lee'), { kind: 'phone', digits: '55501' }]],
    ['7', [name('7')]],
    ['grace@navy', [expect.objectContaining({ kind: 'email' })]],
    ['🙂', [name('🙂')]],
    ['', []],
    ['   ', []],
    ['%', []],
    ['_ \\ " \'', []],
    ['@', []],
    ['()', []],
  ])('%s', (typed, terms) => {
    expect(readSearch(typed)).toEqual(terms)
  })

  it('is never too much', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (typed) => {
        const terms = readSearch(typed)
        expect(
          terms.flatMap((term): unknown[] => (term.kind === 'name' ? [...term.words] : [term])).length,
        ).toBeLessThanOrEqual(8)
      }),
    )
  })

  it('counts the words behind dashes', () => {
    const dashes = Array.from({ length: 30 }, (_, index) => `ab${String.fromCodePoint(97 + (index % 26))}`).join('-')
    const words = dashes.split('-').slice(0, 7)
    expect(readSearch(`ada ${dashes} ray`).flatMap((term) => (term.kind === 'name' ? term.words : []))).toEqual([
      'ada',
      ...words,
    ])
  })
})

describe('typing errors', () => {
  it.each([
    ['hoper', 'hopper', 1],
    ['smiht', 'smith', 1],
    ['kopper', 'hopper', 1],
    ['stephen', 'steven', 2],
    ['ann', 'ann', 0],
  ])('%s for %s are %d', (from, to, errors) => {
    expect(typingErrors(from, to)).toBe(errors)
    expect(typingErrors(to, from)).toBe(errors)
  })

  it('are allowed by the length of the word', () => {
    expect([maxTypingErrors('al'), maxTypingErrors('hoper'), maxTypingErrors('gonzales')]).toEqual([0, 1, 2])
  })

  it('lead to the nearest words only', () => {
    expect(nearest('gonzlez', ['gonzalez', 'gonzales', 'garcia'])).toEqual(['gonzalez'])
    expect(nearest('hopper', ['cooper'])).toEqual([])
  })

  it('of one slip are undone by the slips', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{3,10}$/), fc.nat(), (word, where) => {
        const at = where % (word.length - 1)
        const swapped = [word.slice(0, at), word[at + 1], word[at], word.slice(at + 2)].join('')
        if (swapped !== word) expect(typoVariants(swapped)).toContain(word)
        expect(typoVariants([word.slice(0, at), 'x', word.slice(at)].join(''))).toContain(word)
      }),
    )
  })
})
