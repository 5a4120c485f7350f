import { describe, expect, it } from 'vitest'
import { type Appointment, AppointmentChange, type AppointmentField, NewAppointment } from '#contracts/appointments.ts'
import { ApiProblem } from '#web/api/call.ts'
import {
  appointmentFormFields,
  appointmentFormOptions,
  createBlankValues,
  findChangedFields,
  parseSlotTaken,
  toAppointmentChange,
  toAppointmentValues,
  toNewAppointment,
} from '#web/features/appointments/booking/appointment-form.ts'
import { formatField } from '#web/features/appointments/labels.ts'
import { createContractResolver } from '#web/forms/contract-resolver.ts'
import { findFieldConflicts } from '#web/forms/field-conflicts.ts'
import { mergeValues } from '#web/forms/three-way-merge.ts'
import { chenId, createAppointment, id } from '../fixture.ts'

describe('the form of an appointment', () => {
  const values = createBlankValues({
    patientId: id(20),
    providerId: chenId,
    date: '2026-11-20',
    time: '16:00',
    type: 'follow-up',
  })

  it('starts as scheduled, without a type, with thirty minutes', () => {
    expect(createBlankValues()).toMatchObject({ status: 'scheduled', type: '', duration: '30' })
  })

  it('sends what the contract accepts, with the local time of the practice', () => {
    expect(NewAppointment.parse(toNewAppointment(values))).toMatchObject({
      appointmentDate: '2026-11-20T16:00',
      duration: 30,
      reason: null,
      allowOverlap: false,
    })
  })

  it('sends only what changed', () => {
    const before = toAppointmentValues(createAppointment())
    const after = { ...before, time: '16:30', reason: ' ', status: 'confirmed' }
    expect(findChangedFields(before, after)).toEqual(['appointmentDate', 'status'])
    expect(toAppointmentChange(before, after)).toEqual({ appointmentDate: '2026-11-20T16:30', status: 'confirmed' })
    expect(AppointmentChange.safeParse(toAppointmentChange(before, after)).success).toBe(true)
  })

  it('shows what is missing at its input', async () => {
    const check = createContractResolver({
      schema: NewAppointment,
      toBody: toNewAppointment,
      ...appointmentFormOptions,
    })
    const { errors } = await check(createBlankValues(), undefined, {} as never)
    expect(errors).toMatchObject({
      patientId: { message: 'Please choose a patient' },
      date: { message: 'Please enter a date' },
      time: { message: 'Please enter a time' },
      type: { message: 'Please choose a type' },
    })
    expect((await check(values, undefined, {} as never)).errors).toEqual({})
  })

  it('tells a taken slot from other refusals', () => {
    const problem = { type: '', title: '', status: 409, message: '', errors: [] }
    const takenBy = {
      appointmentId: id(10),
      providerId: chenId,
      providerName: 'Dr. Chen',
      patientName: null,
      from: '2026-11-20T21:00:00Z',
      until: '2026-11-20T21:30:00Z',
    }
    expect(
      parseSlotTaken(new ApiProblem({ ...problem, code: 'slot-taken', takenBy, freeSlots: [] }))?.conflict,
    ).toEqual(takenBy)
    expect(parseSlotTaken(new ApiProblem({ ...problem, code: 'changed-meanwhile' }))).toBeNull()
    expect(parseSlotTaken(new Error('x'))).toBeNull()
  })

  it('keeps typed values when others changed the appointment, and asks about fields that both changed', () => {
    const base = createAppointment()
    const latest = createAppointment({ revision: 3, localTime: '15:00', reason: 'Theirs', status: 'confirmed' })
    const typed = { ...toAppointmentValues(base), reason: 'Mine', duration: '45' }
    const merge = mergeValues(appointmentFormFields, {
      base: toAppointmentValues(base),
      latest: toAppointmentValues(latest),
      typed,
    })
    expect(merge.values).toMatchObject({
      time: '15:00',
      reason: 'Mine',
      duration: '45',
      status: 'confirmed',
    })
    const format = (appointment: Appointment) => (field: AppointmentField) =>
      formatField(appointment, field, { allProviders: [] })
    const named = ['appointmentDate', 'reason'].map((field) => ({ field, value: null, by: 'Bo', at: '' }))
    expect(
      findFieldConflicts({ named, merge, formatBefore: format(base), formatTheirs: format(latest), at: '' }),
    ).toMatchObject([
      {
        field: 'appointmentDate',
        before: 'Nov 20, 2026, 4:00 PM',
        theirs: 'Nov 20, 2026, 3:00 PM',
        isContested: false,
      },
      { field: 'reason', before: '', theirs: 'Theirs', isContested: true },
    ])
  })
})
