import { describe, it } from 'vitest'
import { SeriesId } from '#contracts/values/ids.ts'
import { seriesDecider } from '#modules/series/decider.ts'
import type { SeriesEvent } from '#modules/series/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { patientId, slot, practiceId, uuid, appointment } from '#tests/modules/appointments/fixtures.ts'

const given = deciderSpec(seriesDecider)
const seriesId = SeriesId.parse(uuid(6, 1))
const planned: Extract<SeriesEvent, { type: 'SeriesPlanned' }> = {
  type: 'SeriesPlanned',
  data: {
    seriesId,
    practiceId,
    patientId,
    type: 'follow-up',
    reason: null,
    notes: null,
    appointments: [1, 2].map((n) => ({
      index: n - 1,
      appointmentId: appointment(n),
      slot: slot({ reservation: n, startsAt: `2026-12-0${n}T09:00` }),
      allowOverlap: false,
    })),
  },
}
const notBooked: SeriesEvent = {
  type: 'SeriesAppointmentNotBooked',
  data: { seriesId, patientId, appointmentId: appointment(2) },
}

describe('a series', () => {
  it('is planned once', () => {
    given().when({ type: 'Plan', plan: planned.data }).then(planned)
    given(planned).when({ type: 'Plan', plan: planned.data }).thenNothing()
  })

  it('records once which of its appointments could not be booked', () => {
    given(planned)
      .when({ type: 'NotBooked', appointmentId: appointment(2) })
      .then(notBooked)
    given(planned, notBooked)
      .when({ type: 'NotBooked', appointmentId: appointment(2) })
      .thenNothing()
    given(planned)
      .when({ type: 'NotBooked', appointmentId: appointment(3) })
      .thenRefused('not-found')
    given()
      .when({ type: 'NotBooked', appointmentId: appointment(1) })
      .thenRefused('not-found')
  })
})
