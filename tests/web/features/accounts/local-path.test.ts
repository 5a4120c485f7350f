import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '#tests/support/long.ts'
import { toLocalPath } from '#web/features/accounts/local-path.ts'

const here = 'https://practice.example'
const getOrigin = (requested: string) => new URL(toLocalPath(requested), `${here}/auth`).origin

describe('the path after signing in', () => {
  it.each(['/patients', '/patients?search=Hopper&page=2', '/patients/import#rows', '/', '/patients/a%2Fb'])(
    'is %s, a path of this app',
    (requested) => {
      expect(toLocalPath(requested)).toBe(requested)
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
  ])('is / instead of %j', (requested) => {
    expect(toLocalPath(requested)).toBe('/')
  })

  it.each(['/auth', '/auth?redirect=%2Fauth', '/auth/', '/%2e/auth'])('is never %s', (requested) => {
    expect(toLocalPath(requested)).toBe('/')
  })

  it('never leaves this site, for any input', () => {
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
      fc.property(addresses, (requested) => {
        expect(getOrigin(requested)).toBe(here)
      }),
      { numRuns: cases(1_000, 10_000) },
    )
  })
})
