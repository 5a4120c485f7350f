import { describe, expect, it } from 'vitest'
import { startNote } from '#web/features/automation/records/start-note.ts'

const nothing = {
  systolicPressure: null,
  diastolicPressure: null,
  heartRate: null,
  respiratoryRate: null,
  temperature: null,
  oxygenSaturation: null,
  weight: null,
  height: null,
  painScore: null,
}

describe('a note of an appointment', () => {
  it('begins with its reason, and with what was measured and given, the first one first', () => {
    const measured = [
      { ...nothing, systolicPressure: 124, diastolicPressure: 82 },
      { ...nothing, systolicPressure: 151, diastolicPressure: 97, heartRate: 88 },
    ]
    const given = [
      { medication: 'Influenza vaccine', dose: '0.5 mL', site: 'left deltoid', lotNumber: 'FLU-88' },
      { medication: 'Amlodipine', dose: '5 mg', site: null, lotNumber: null },
    ]
    expect(startNote({ reason: 'Headache', measured, given }, 'us')).toEqual({
      subjective: 'Reason: Headache',
      objective: [
        'Vital signs: 151/97 mmHg, 88/min',
        'Vital signs: 124/82 mmHg',
        'Given: Amlodipine, 5 mg',
        'Given: Influenza vaccine, 0.5 mL, left deltoid, lot FLU-88',
      ].join('\n'),
    })
  })

  it('begins empty where nothing is known, and in the units of the practice', () => {
    expect(startNote({ reason: null, measured: [], given: [] }, 'us')).toEqual({ subjective: '', objective: '' })
    const measured = [{ ...nothing, temperature: 38 }]
    expect(startNote({ reason: '', measured, given: [] }, 'metric').objective).toBe('Vital signs: 38 °C')
    expect(startNote({ reason: '', measured, given: [] }, 'us').objective).toBe('Vital signs: 100.4 °F')
  })
})
