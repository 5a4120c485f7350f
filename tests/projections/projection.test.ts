import { expect, it } from 'vitest'
import { applyEvent, defineProjection, getHandledTypes, mapEvents, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'

type NoteEvent =
  | { type: 'NoteTaken'; data: { id: string } }
  | { type: 'NoteRead'; data: { id: string } }
  | { type: 'NoteThrownAway'; data: { id: string } }

const base = {
  name: 'notes',
  version: 1,
  columns: { id: 'text' },
  key: 'id',
  rowOf: ({ data }: NoteEvent) => data.id,
} as const

it('does not compile when an event of its union has neither a fold nor "ignore"', () => {
  const notes = defineProjection<NoteEvent, { id: string }>({
    ...base,
    // @ts-expect-error NoteRead is missing
    on: { NoteTaken: (_, __, id) => ({ id }), NoteThrownAway: () => null },
  })
  expect(getHandledTypes(notes)).toEqual(['NoteTaken', 'NoteThrownAway'])
})

it('neither reads nor folds an ignored event', () => {
  const notes = defineProjection<NoteEvent, { id: string }>({
    ...base,
    on: { NoteTaken: (_, __, id) => ({ id }), ...mapEvents(['NoteRead', 'NoteThrownAway'], 'ignore') },
  })
  const rows: Rows = new Map()
  applyEvent(notes, rows, recordedEvent({ type: 'NoteTaken', data: { id: 'a' } }))
  applyEvent(notes, rows, recordedEvent({ type: 'NoteThrownAway', data: { id: 'a' } }))
  expect(getHandledTypes(notes)).toEqual(['NoteTaken'])
  expect([...rows]).toEqual([['a', { id: 'a' }]])
})
