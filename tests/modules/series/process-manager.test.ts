import { expect, it } from 'vitest'
import { SeriesId } from '#contracts/values/ids.ts'
import { series } from '#modules/series/module.ts'
import { resumeSeries } from '#modules/series/process-manager.ts'
import { patientId, practiceId, uuid } from '#tests/modules/appointments/fixtures.ts'
import { requestsOf } from '#tests/modules/appointments/follow-ups.ts'

it('books the rest of a series a minute after it was planned', () => {
  const seriesId = SeriesId.parse(uuid(6, 1))
  const details = { type: 'follow-up', reason: null, notes: null, appointments: [] }
  const event = { type: 'SeriesPlanned', data: { seriesId, practiceId, patientId, ...details } }
  expect(requestsOf(resumeSeries, series, event)).toEqual([
    { job: 'book-series', after: '2026-11-20T08:01:00.000Z', practiceId, seriesId },
  ])
})
