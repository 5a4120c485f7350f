import { describe, it } from 'vitest'
import { SeriesId } from '#contracts/values/ids.ts'
import { seriesDecider } from '#modules/appointments/series/decider.ts'
import type { SeriesEvent } from '#modules/appointments/series/events.ts'
import { deciderSpec } from '#tests/support/given.ts'
import { patientId, place, practiceId, uuid, visit } from '../visits.ts'

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
    visits: [1, 2].map((n) => ({
      index: n - 1,
      appointmentId: visit(n),
      place: place({ hold: n, startsAt: `2026-12-0${n}T09:00` }),
      allowOverlap: false,
    })),
  },
}
const notBooked: SeriesEvent = {
  type: 'SeriesVisitNotBooked',
  data: { seriesId, patientId, appointmentId: visit(2) },
}

describe('a row of visits', () => {
  it('is planned once', () => {
    given().when({ type: 'Plan', plan: planned.data }).then(planned)
    given(planned).when({ type: 'Plan', plan: planned.data }).thenNothing()
  })

  it('records once which of its visits could not be booked', () => {
    given(planned)
      .when({ type: 'NotBooked', appointmentId: visit(2) })
      .then(notBooked)
    given(planned, notBooked)
      .when({ type: 'NotBooked', appointmentId: visit(2) })
      .thenNothing()
    given(planned)
      .when({ type: 'NotBooked', appointmentId: visit(3) })
      .thenRefused('not-found')
    given()
      .when({ type: 'NotBooked', appointmentId: visit(1) })
      .thenRefused('not-found')
  })
})
