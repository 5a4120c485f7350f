import { defineProjection, type ProjectionDefinition } from '#projections/projection.ts'
import { newEvent } from './events.ts'

type Appointment =
  | { type: 'AppointmentBooked'; data: { id: string; day: string; at: string; tags: string[] } }
  | { type: 'AppointmentMoved'; data: { id: string; day: string } }
  | { type: 'AppointmentCancelled'; data: { id: string } }
  | { type: 'AppointmentBroken'; data: { id: string } }

type AppointmentRow = {
  id: string
  day: string
  booked_at: string
  tags: string[]
  moves: number
  extra: object | null
}

const definition: ProjectionDefinition<Appointment, AppointmentRow> = {
  name: 'appointments',
  version: 1,
  columns: { id: 'text', day: 'date', booked_at: 'timestamptz', tags: 'text[]', moves: 'int4', extra: 'jsonb' },
  key: 'id',
  indexes: ['(day)', 'using gin (tags)'],
  rowOf: ({ data }) => data.id,
  on: {
    AppointmentBooked: (_, { data: { id, day, at, tags } }) => ({
      id,
      day,
      booked_at: at,
      tags,
      moves: 0,
      extra: { tags },
    }),
    AppointmentMoved: (row, { data }) => row && { ...row, day: data.day, moves: row.moves + 1 },
    AppointmentCancelled: () => null,
    AppointmentBroken: () => {
      throw new RangeError('a name of a patient')
    },
  },
}

/** A small read model with a column of most types, and a fold that fails. */
export const appointments = defineProjection(definition)

/** A read model with one row per tag: an event may change several rows. */
export const tags = defineProjection<Appointment, { tag: string; n: number }>({
  name: 'tags',
  version: 1,
  columns: { tag: 'text', n: 'int4' },
  key: 'tag',
  rowOf: (event) => (event.type === 'AppointmentBooked' ? event.data.tags : null),
  on: {
    AppointmentBooked: (row, _, tag) => ({ tag, n: (row?.n ?? 0) + 1 }),
    AppointmentMoved: 'ignore',
    AppointmentCancelled: 'ignore',
    AppointmentBroken: 'ignore',
  },
})

/** The appointments without the fold that fails. */
export const validAppointments = defineProjection<Appointment, AppointmentRow>({
  ...definition,
  on: { ...definition.on, AppointmentBroken: 'ignore' },
})

/** Returns a booking, by default for 20 November 2026. */
export const appointmentBooked = (id: string, over: { day?: string; tags?: string[] } = {}) =>
  newEvent('AppointmentBooked', { id, day: '2026-11-20', at: '2026-11-20T08:00:00.120Z', tags: ['new'], ...over })

/** Returns a move to another day. */
export const appointmentMoved = (id: string, day = '2026-11-21') => newEvent('AppointmentMoved', { id, day })

/** Generates events for several pages that change and delete rows, in batches of 500 for one append each. */
export function* generateAppointmentEvents(events: number, rows: number): Generator<ReturnType<typeof newEvent>[]> {
  for (let start = 0; start < events; start += 500)
    yield Array.from({ length: Math.min(500, events - start) }, (_, index) => {
      const n = start + index
      const id = `h${(n * 7) % rows}`
      if (n % 5 === 0) return appointmentMoved(id, `2026-12-${10 + (n % 20)}`)
      return n % 13 === 0
        ? newEvent('AppointmentCancelled', { id })
        : appointmentBooked(id, { tags: [`t${n % 9}`, `t${n % 4}`] })
    })
}
