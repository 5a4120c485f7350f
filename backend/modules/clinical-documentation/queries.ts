import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { recordReader } from '#modules/records/requests/public.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import { documentEvents } from './events.ts'
import { documentsProjection } from './projection.ts'

/** The queries of clinical documents. */
export const documentReader = recordReader(documentEvents, documentsProjection, [])

const DocumentCounts = z.object({
  total: z.number(),
  aiGenerated: z.number(),
  providerApproved: z.number(),
  pending: z.number(),
  inReview: z.number(),
})

/** Counts the documents of a scope. `pending` are those that are not approved, `inReview` those that wait for it. */
export const countDocuments = (db: CommonQueryMethods, scope: RecordScope): Promise<z.infer<typeof DocumentCounts>> =>
  db.one(sql.type(DocumentCounts)`
    select count(*)::int4 as total,
      count(*) filter (where d.ai_generated)::int4 as "aiGenerated",
      count(*) filter (where d.status = 'approved')::int4 as "providerApproved",
      count(*) filter (where d.status <> 'approved')::int4 as pending,
      count(*) filter (where d.status = 'review')::int4 as "inReview"
    from read.clinical_documents d where ${inScope(scope, 'd')}`)
