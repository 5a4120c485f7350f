import { expect, it } from 'vitest'
import { forms } from '#modules/forms/module.ts'
import { analyzeForms } from '#modules/forms/process-manager.ts'
import { requestsOf } from '#tests/modules/appointments/follow-ups.ts'
import { analyzed, assigned, formId, requested, reviewed, saved, submitted } from './fixtures.ts'
import { practiceId } from '#tests/modules/patients/patient-fixtures.ts'

const analysis = (version: number) => [expect.objectContaining({ job: 'analyze-form', formId, practiceId, version })]

it('requests the analysis of a form that was handed in, and of one that a user asks for', () => {
  expect(requestsOf(analyzeForms, forms, submitted(3))).toEqual(analysis(3))
  expect(requestsOf(analyzeForms, forms, requested(2))).toEqual(analysis(2))
})

it('requests none of a sample form that is seeded with its analysis', () => {
  expect(requestsOf(analyzeForms, forms, submitted(), true)).toEqual([])
  expect(requestsOf(analyzeForms, forms, requested(), true)).toEqual(analysis(1))
})

it.each([assigned, saved(1, 'cough'), reviewed(), analyzed()])('does nothing after $type', (event) => {
  expect(requestsOf(analyzeForms, forms, event)).toEqual([])
})
