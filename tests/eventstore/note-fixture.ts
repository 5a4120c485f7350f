import { z } from 'zod'
import type { Decider } from '#eventstore/decider.ts'
import { event, upcaster } from '#eventstore/event.ts'
import type { Module } from '#modules/module.ts'
import { defineProjection } from '#projections/projection.ts'

/**
 * A module with older event versions: in version 1 a note was `NoteTaken` with one text; version 2 split off a title;
 * version 3 is `NoteWritten`, with lines and an audience. An older instance of the app uses the first, a current one the last.
 */
const NoteTaken1 = event('NoteTaken', { noteId: z.uuid(), text: z.string() })
export const NoteTaken2 = event('NoteTaken', { noteId: z.uuid(), title: z.string(), text: z.string() }, { version: 2 })
export const NoteWritten = event(
  'NoteWritten',
  {
    noteId: z.uuid(),
    title: z.string().nullable(),
    lines: z.array(z.string()).nullable(),
    visibility: z.enum(['all', 'author']),
    year: z.number().int(),
  },
  { version: 3 },
)
export const NoteRemoved = event('NoteRemoved', { noteId: z.uuid() })
export const NoteEvent = z.discriminatedUnion('type', [NoteWritten, NoteRemoved])
type NoteEvent = z.infer<typeof NoteEvent>

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

/** PHI can be null whatever the schema says, when its key was destroyed. The upcasters keep it null. */
export const noteUpcasters = [
  upcaster('NoteTaken', 1, ({ noteId, text }) => ({ noteId, title: textOf(text)?.split('\n')[0] ?? null, text })),
  upcaster(
    'NoteTaken',
    2,
    ({ noteId, title, text }, { at }) => ({
      noteId,
      title,
      lines: textOf(text)?.split('\n') ?? null,
      visibility: 'all',
      year: new Date(at).getUTCFullYear(),
    }),
    { becomes: 'NoteWritten' },
  ),
]

type Write = { noteId: string; text: string }

/** The decider of the older version. */
export const earlierNotes: Decider<Write, z.infer<typeof NoteTaken1>, readonly string[]> = {
  category: 'note',
  events: NoteTaken1,
  initial: [],
  decide: ({ noteId, text }) => [{ type: 'NoteTaken', data: { noteId, text } }],
  evolve: (texts, { data }) => [...texts, data.text],
}

/** The current decider. Its state is the titles. */
export const notes: Decider<Write, NoteEvent, readonly (string | null)[]> = {
  category: 'note',
  events: NoteEvent,
  initial: [],
  decide: ({ noteId, text }) => {
    const lines = text.split('\n')
    return [{ type: 'NoteWritten', data: { noteId, title: lines[0] ?? null, lines, visibility: 'author', year: 2026 } }]
  },
  evolve: (titles, fact) => (fact.type === 'NoteWritten' ? [...titles, fact.data.title] : titles),
}

type NoteRow = { note_id: string; title: string | null; lines: number }

const earlierTable = defineProjection<z.infer<typeof NoteTaken1>, NoteRow>({
  name: 'notes',
  version: 1,
  key: 'note_id',
  columns: { note_id: 'uuid', title: 'text', lines: 'int4' },
  rowOf: ({ data }) => data.noteId,
  on: { NoteTaken: (_, { data }) => ({ note_id: data.noteId, title: data.text, lines: 1 }) },
})

export const notesTable = defineProjection<NoteEvent, NoteRow>({
  ...earlierTable,
  version: 2,
  rowOf: ({ data }) => data.noteId,
  on: {
    NoteWritten: (_, { data }) => ({ note_id: data.noteId, title: data.title, lines: data.lines?.length ?? 0 }),
    NoteRemoved: () => null,
  },
})

export const earlierModule: Module = { name: 'notes', events: [NoteTaken1], projections: [earlierTable] }

export const noteModule: Module = {
  name: 'notes',
  events: [NoteEvent],
  upcasters: noteUpcasters,
  projections: [notesTable],
}
