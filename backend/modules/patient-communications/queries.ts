import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { ofPresentPatient, recordReader } from '#modules/records/requests/public.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import { communicationEvents } from './events.ts'
import { communicationsProjection } from './projection.ts'

/** The queries of messages. */
export const communicationReader = recordReader(communicationEvents, communicationsProjection, [])

const OpenRow = z.object({ open: z.number() })

/** Counts the messages from patients and unknown people of a scope that are neither read nor answered. */
export const countOpenMessages = (db: CommonQueryMethods, scope: RecordScope): Promise<number> =>
  db.oneFirst(sql.type(OpenRow)`
    select count(*)::int4 as open from read.patient_communications r
    where ${inScope(scope, 'r')} and r.status = 'sent' and r.direction = 'inbound'
      and (r.patient_id is null or ${ofPresentPatient})`)
