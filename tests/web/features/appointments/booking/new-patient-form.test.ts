import { describe, expect, it } from 'vitest'
import { parseDraft } from '#web/features/appointments/booking/new-patient-form.tsx'

describe('a new patient in a booking', () => {
  it('starts with the text typed in the search', () => {
    expect(parseDraft('Mary Ann Evans')).toMatchObject({ firstName: 'Mary Ann', lastName: 'Evans', phone: '' })
    expect(parseDraft('Mary')).toMatchObject({ firstName: 'Mary', lastName: '' })
    expect(parseDraft('617 555 0142')).toMatchObject({ firstName: '', phone: '617 555 0142' })
  })
})
