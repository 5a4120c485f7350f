import { describe, expect, it } from 'vitest'
import { ApiProblem } from '#web/api/call.ts'
import { showFieldErrors } from '#web/forms/form-errors.ts'

const refused = (errors: { path: string; message: string }[]) =>
  new ApiProblem({ type: 'about:blank', title: 'no', status: 422, code: 'invalid-request', message: 'no', errors })

describe('what the server refused', () => {
  it('stands beside its fields, the first one with the focus', () => {
    const placed: unknown[] = []
    const shown = showFieldErrors((...said) => placed.push(said))(
      refused([
        { path: 'email', message: 'Taken' },
        { path: 'emergencyContact.phone', message: 'Not a phone number' },
      ]),
    )
    expect(shown).toBe(true)
    expect(placed).toEqual([
      ['email', { type: 'server', message: 'Taken' }, { shouldFocus: true }],
      ['emergencyContact.phone', { type: 'server', message: 'Not a phone number' }, { shouldFocus: false }],
    ])
  })

  it('is left to the caller when it names no field, or is no refusal', () => {
    const never = () => {
      throw new Error('placed')
    }
    expect(showFieldErrors(never)(refused([]))).toBe(false)
    expect(showFieldErrors(never)(new TypeError('x'))).toBe(false)
  })
})
