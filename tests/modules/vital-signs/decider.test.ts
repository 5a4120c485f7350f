import { expect, it } from 'vitest'
import { change, decideAfter, move } from '#tests/modules/records/nouns/decide-after.ts'

const decide = (steps: number, command: object, over: object = {}) =>
  decideAfter('measurement', steps, command, { over })

it('is corrected only into values that belong together', () => {
  expect(decide(0, change({ heartRate: 90 }))).toEqual(['VitalSignsCorrected'])
  expect(decide(0, change({ systolicPressure: 120 }))).toBe('implausible')
  expect(decide(0, change({ systolicPressure: 120, diastolicPressure: 120 }))).toBe('implausible')
  expect(decide(0, change({ systolicPressure: 120, diastolicPressure: 119 }))).toEqual(['VitalSignsCorrected'])
  expect(decide(0, change({ heartRate: null }))).toEqual(['VitalSignsCorrected'])
  expect(decide(0, change({ heartRate: null, temperature: null }))).toBe('implausible')
})

it('stays as it is once it was entered in error, and can be recorded again', () => {
  expect(decide(1, change({ heartRate: 90 }))).toBe('entered-in-error')
  expect(decide(1, change({ heartRate: 88 }))).toEqual([])
  expect(decide(1, move('VitalSignsReinstated'))).toEqual(['VitalSignsReinstated'])
  expect(decide(2, change({ heartRate: 90 }))).toEqual(['VitalSignsCorrected'])
  expect(decide(0, move('VitalSignsReinstated'))).toEqual([])
})
