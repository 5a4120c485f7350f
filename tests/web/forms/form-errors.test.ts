import { describe, expect, it } from 'vitest'
import { ApiProblem } from '#web/api/call.ts'
import { showFieldErrors } from '#web/forms/form-errors.ts'

const createProblem = (errors: { path: string; message: string }[]) =>
  new ApiProblem({ type: 'about:blank', title: 'no', status: 422, code: 'invalid-request', message: 'no', errors })

describe('field errors of the server', () => {
  it('appear at their fields, and the first gets the focus', () => {
    const calls: unknown[] = []
    const shown = showFieldErrors((...call) => calls.push(call))(
      createProblem([
        { path: 'email', message: 'Taken' },
        { path: 'emergencyContact.phone', message: 'Not a phone number' },
      ]),
    )
    expect(shown).toBe(true)
    expect(calls).toEqual([
      ['email', { type: 'server', message: 'Taken' }, { shouldFocus: true }],
      ['emergencyContact.phone', { type: 'server', message: 'Not a phone number' }, { shouldFocus: false }],
    ])
  })

  it('are left to the caller when there are none', () => {
    const never = () => {
      throw new Error('unexpected field error')
    }
    expect(showFieldErrors(never)(createProblem([]))).toBe(false)
    expect(showFieldErrors(never)(new TypeError('x'))).toBe(false)
  })
})
