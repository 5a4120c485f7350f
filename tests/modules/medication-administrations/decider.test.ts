import { expect, it } from 'vitest'
import { findAdministrationProblem } from '#contracts/values/medication-administrations.ts'
import { change, decideAfter, move } from '#tests/modules/records/nouns/decide-after.ts'

const decide = (steps: number, command: object) => decideAfter('administration', steps, command)

it('stays as it is once it was entered in error, and can be given after all', () => {
  expect(decide(0, change({ reaction: 'Hives' }))).toEqual(['MedicationAdministrationCorrected'])
  expect(decide(1, change({ reaction: 'Hives' }))).toBe('entered-in-error')
  expect(decide(1, move('MedicationAdministrationReinstated'))).toEqual(['MedicationAdministrationReinstated'])
  expect(decide(2, change({ reaction: 'Hives' }))).toEqual(['MedicationAdministrationCorrected'])
})

it('names the lot of a vaccine, which had not expired', () => {
  const vaccine = { kind: 'vaccine', lotNumber: 'UJ-4417', expiresOn: '2026-11-20' } as const
  expect(findAdministrationProblem(vaccine, '2026-11-20')).toBeNull()
  expect(findAdministrationProblem(vaccine, '2026-11-21')?.field).toBe('expiresOn')
  expect(findAdministrationProblem({ ...vaccine, lotNumber: null }, '2026-11-20')?.field).toBe('lotNumber')
  expect(findAdministrationProblem({ kind: 'medication', lotNumber: null, expiresOn: null }, '2026-11-21')).toBeNull()
})
