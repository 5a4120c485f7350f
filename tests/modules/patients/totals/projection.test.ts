import { expect, it } from 'vitest'
import { PatientId, PracticeId, UserId } from '#contracts/values/ids.ts'
import type { PatientTotalRow } from '#modules/patients/patient-totals.ts'
import { patientCountsProjection } from '#modules/patients/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'

const practiceId = PracticeId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0002')
const patient = (n: number) => PatientId.parse(`018f3b1e-7b1a-4c3e-9a53-0d6f1f1f000${n}`)
const user = { kind: 'user', userId: UserId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0003'), role: 'staff' } as const

type Type = 'PatientRegistered' | 'PatientRemoved' | 'SamplePatientKept'
type Step = readonly [type: Type, patient: number, sample: boolean]

it('counts own and sample patients apart, after removals by users and processes', () => {
  const { on } = patientCountsProjection
  const fold = (steps: readonly Step[]) =>
    steps.reduce<PatientTotalRow | null>((row, [type, n, sample]) => {
      const event = recordedEvent({ type, data: { patientId: patient(n) } }, { metadata: { actor: user, sample } })
      return (on[type] as (...args: unknown[]) => PatientTotalRow | null)(row, event, practiceId)
    }, null)
  const row = (patients: number, ...samples: number[]) => ({
    practice_id: practiceId,
    patients,
    sample_ids: samples.map(patient),
  })
  const registered: Step[] = [
    ['PatientRegistered', 1, true],
    ['PatientRegistered', 2, false],
    ['PatientRegistered', 3, true],
    ['PatientRegistered', 4, true],
    ['PatientRegistered', 5, false],
  ]
  expect(fold(registered)).toEqual(row(2, 1, 3, 4))
  // A user deletes one sample and a process another; the third is kept, and deleted later.
  const changed: Step[] = [...registered, ['PatientRemoved', 1, false], ['PatientRemoved', 3, true]]
  expect(fold(changed)).toEqual(row(2, 4))
  const kept: Step[] = [...changed, ['SamplePatientKept', 4, true]]
  expect(fold(kept)).toEqual(row(3))
  expect(fold([...kept, ['PatientRemoved', 4, false], ['PatientRemoved', 2, false]])).toEqual(row(1))
})
