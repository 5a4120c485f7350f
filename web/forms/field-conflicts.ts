import { z } from 'zod'
import type { Merge } from './three-way-merge.ts'

/** One field that another user changed while a form was open. */
export type FieldConflict<Field extends string> = {
  field: Field
  before: string
  theirs: string
  /** Name of the other user; null where it is not known. */
  by: string | null
  /** ISO instant of the change. */
  at: string
  /** The field was changed here as well, to something else: the user decides. */
  isContested: boolean
}

const NamedChanges = z.array(z.object({ field: z.string(), by: z.string().nullable(), at: z.string() }))
type NamedChange = z.infer<typeof NamedChanges>[number]

type ConflictSources<Field extends string> = {
  /** The `changes` of the server's conflict problem; undefined where an endpoint sends none. */
  named: unknown
  merge: Pick<Merge<unknown, Field>, 'changedByOthers' | 'contested'>
  /** Text of a field in the record the form began with, and in the newest one. */
  formatBefore: (field: Field) => string
  formatTheirs: (field: Field) => string
  /** ISO instant for changes of which the server does not say when they were made. */
  at: string
}

/** Returns the fields that others changed, with author and time as far as the server names them. */
export function findFieldConflicts<Field extends string>({
  named,
  merge: { changedByOthers, contested },
  formatBefore,
  formatTheirs,
  at,
}: ConflictSources<Field>): FieldConflict<Field>[] {
  const parsed = NamedChanges.safeParse(named)
  const isChanged = (change: NamedChange): change is NamedChange & { field: Field } =>
    (changedByOthers as readonly string[]).includes(change.field)
  const namedChanges = parsed.success ? parsed.data.filter(isChanged) : []
  // A field changed between the refusal and the reload is not named, but must not be overwritten without a question.
  const unnamedFields = (parsed.success ? contested : changedByOthers).filter((field) =>
    namedChanges.every((change) => change.field !== field),
  )
  const changes = [...namedChanges, ...unnamedFields.map((field) => ({ field, by: null, at }))]
  return changes.map(({ field, by, at: changedAt }) => ({
    field,
    before: formatBefore(field),
    theirs: formatTheirs(field),
    by,
    at: changedAt,
    isContested: contested.includes(field),
  }))
}
