import type { CommonQueryMethods } from 'slonik'
import { clinicalFields, type MeanwhileChange, type PatientField, type PatientFields } from '#contracts/patients.ts'
import type { Recorded } from '#eventstore/event.ts'
import { changedFields } from './decider.ts'
import type { PatientEvent } from './events.ts'
import { findNames } from './queries.ts'

/**
 * What others changed since somebody looked: each field once, with its value now, who changed it last, and when. Clinical
 * fields only for those who may read them.
 */
export async function changesSince(
  db: CommonQueryMethods,
  since: readonly Recorded<PatientEvent>[],
  now: PatientFields,
  clinical: boolean,
): Promise<MeanwhileChange[]> {
  const hidden: readonly string[] = clinical ? [] : clinicalFields
  const last = new Map<PatientField, { userId: string | null; at: string }>()
  for (const event of since) {
    const { actor, at } = event.metadata
    for (const field of Object.keys(changedFields(event)) as PatientField[])
      if (!hidden.includes(field)) last.set(field, { userId: actor.kind === 'user' ? actor.userId : null, at })
  }
  const names = await findNames(db, [...new Set([...last.values()].flatMap(({ userId }) => userId ?? []))])
  return [...last].map(([field, { userId, at }]) => ({
    field,
    value: now[field],
    by: (userId && names.get(userId)) || null,
    at,
  }))
}
