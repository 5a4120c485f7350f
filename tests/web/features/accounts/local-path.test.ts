import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '#tests/support/long.ts'
import { toLocalPath } from '#web/features/accounts/local-path.ts'

const here = 'https://practice.example'
const siteOf = (wanted: string) => new URL(toLocalPath(wanted), `${here}/auth`).origin

describe('where signing in leads to', () => {
  it.each(['/patients', '/patients?search=Hopper&page=2', '/patients/import#rows', '/', '/patients/a%2Fb'])(
    'is %s, a place of ours',
    (wanted) => {
      expect(toLocalPath(wanted)).toBe(wanted)
    },
  )

  it.each([
    undefined,
    '',
    'patients',
    'https://evil.example/patients',
    '//evil.example',
    '//evil.example/..//',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n//evil.example',
    '/../..//evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    ' //evil.example',
  ])('is the start and never %j', (wanted) => {
    expect(toLocalPath(wanted)).toBe('/')
  })

  it.each(['/auth', '/auth?redirect=%2Fauth', '/auth/', '/%2e/auth'])('does not come back to %s', (wanted) => {
    expect(toLocalPath(wanted)).toBe('/')
  })

  it('never leaves this site, whatever stands in the address', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2f',
      '%5c',
      ':',
      '@',
      '\t',
      '\n',
      ' ',
      'evil.example',
      'https',
    )
    const addresses = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(addresses, (wanted) => {
        expect(siteOf(wanted)).toBe(here)
      }),
      { numRuns: cases(1_000, 10_000) },
    )
  })
})
