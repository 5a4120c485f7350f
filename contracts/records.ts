import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PatientId } from './values/ids.ts'
import { PersonName } from './values/person-name.ts'
import { RecordHistoryEntry } from './values/records.ts'
import type { Permission } from './values/roles.ts'
import { text } from './values/text.ts'

/** The part of a reply that all records have. `createdAt` and `updatedAt` are instants in UTC. */
export const recordMeta = {
  createdAt: z.string(),
  updatedAt: z.string(),
  revision: z.number().int(),
}

/** The patient of a record in a reply. */
export const recordPatient = { patientId: PatientId, patientName: z.string(), patient: PersonName }

/** The patient of a record in a reply; null for a record without one. */
export const optionalRecordPatient = {
  patientId: PatientId.nullable(),
  patientName: z.string().nullable(),
  patient: PersonName.nullable(),
}

/** The revision that the user had on screen. */
export const recordRevision = { revision: z.number().int().min(0).optional() }

/** A `true` or `false` in the query of a list. */
export const queryFlag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional()

type RecordCalls<
  Id extends z.ZodType<string>,
  Status extends z.ZodType<string>,
  Filters extends z.ZodRawShape,
  Reply extends z.ZodObject,
  Add extends z.ZodType,
  Change extends z.ZodType,
> = {
  path: `/api/${string}`
  id: Id
  read: Permission
  write: Permission
  status: Status
  /** Parameters of the list beside the status, the patient and the search. */
  filters: Filters
  reply: Reply
  add: Add
  change: Change
  /** Returns a record without what the caller's permissions do not include. */
  withhold?: (record: z.output<Reply>, may: (permission: Permission) => boolean) => z.output<Reply>
}

/**
 * Returns the calls of a record: a list, newest first and paged by cursors (`X-Total-Count`, `Link`), and as a CSV file; one with
 * its history; adding one; and changing its fields or its status. 409 `changed-meanwhile` when another user has changed it since `revision`.
 */
export function recordEndpoints<
  Id extends z.ZodType<string>,
  Status extends z.ZodType<string>,
  Filters extends z.ZodRawShape,
  Reply extends z.ZodObject,
  Add extends z.ZodType,
  Change extends z.ZodType,
>(record: RecordCalls<Id, Status, Filters, Reply, Add, Change>) {
  const { path, read, write, reply, withhold = (each: z.output<Reply>) => each } = record
  const params = z.object({ id: record.id })
  const onePath = `${path}/:id` as const
  const filters = {
    status: record.status.optional(),
    search: text(200).optional(),
    patientId: PatientId.optional(),
    ...record.filters,
  }
  const withholdOne = (one: unknown, may: (permission: Permission) => boolean) =>
    withhold(one as z.output<Reply>, may) as unknown
  return {
    list: endpoint({
      method: 'GET',
      path,
      access: { permission: read },
      query: z.object({
        limit: z.coerce.number().int().min(1).max(200).default(50),
        cursor: z.string().max(500).optional(),
        ...filters,
      }),
      reply: z.array(reply),
      withhold: (all: unknown, may) => (all as unknown[]).map((one) => withholdOne(one, may)),
    }),
    exportCsv: endpoint({
      method: 'GET',
      path: `${path}/export` as const,
      access: { permission: read },
      query: z.object({ format: z.literal('csv').default('csv'), ...filters }),
      reply: z.string(),
      contentType: 'text/csv; charset=utf-8',
    }),
    get: endpoint({
      method: 'GET',
      path: onePath,
      access: { permission: read },
      params,
      reply: reply.extend({ history: z.array(RecordHistoryEntry) }),
      withhold: withholdOne,
    }),
    add: endpoint({
      method: 'POST',
      path,
      access: { permission: write },
      body: record.add,
      reply,
      status: 201,
      withhold: withholdOne,
    }),
    change: endpoint({
      method: 'PATCH',
      path: onePath,
      access: { permission: write },
      params,
      body: record.change,
      reply,
      withhold: withholdOne,
    }),
  }
}
