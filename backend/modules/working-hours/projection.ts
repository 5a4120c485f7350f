import type { WeekHours } from '#contracts/values/working-hours.ts'
import { defineProjection } from '#projections/projection.ts'
import { applyHours } from './decider.ts'
import type { WorkingHoursEvent } from './events.ts'

type WorkingHoursRow = { practice_id: string; week: WeekHours; revision: number }

/** The working hours of the practices that have set any, one row each. */
export const workingHoursProjection = defineProjection<WorkingHoursEvent, WorkingHoursRow>({
  name: 'working_hours',
  version: 1,
  key: 'practice_id',
  columns: { practice_id: 'uuid', week: 'jsonb', revision: 'int4' },
  rowOf: ({ data }) => data.practiceId,
  on: {
    WorkingHoursChanged: (row, { data, revision }) => ({
      practice_id: data.practiceId,
      week: applyHours(row?.week ?? null, data.to),
      revision: Number(revision),
    }),
  },
})
