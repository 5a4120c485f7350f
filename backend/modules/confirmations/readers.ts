import type { CommonQueryMethods } from 'slonik'
import { findSlotOffers } from './offers/queries.ts'
import { findConfirmations, findPatientNames } from './queries.ts'
import { findSurveys } from './surveys/queries.ts'

type Request = { scope: { practiceId: string }; limit: number; cursor?: string | undefined }

type Listed = { id: string; patientId: string }
/** A record with all its fields and the name of its patient. */
type NamedRecord = Readonly<Record<string, unknown>> & Listed

/** Adds the names of the patients to records. */
async function withNames(db: CommonQueryMethods, records: readonly Listed[]): Promise<NamedRecord[]> {
  if (records.length === 0) return []
  const found = await findPatientNames(db, [...new Set(records.map(({ patientId }) => patientId))])
  const names = new Map(found.map(({ id, ...name }) => [id, name]))
  return records.map((record) => ({ ...record, ...names.get(record.patientId) }))
}

/** Reads the questions about appointments, their outcomes and the answers, page by page. */
export const askedConfirmations = {
  fields: [
    'id',
    'patientId',
    'appointmentId',
    'appointmentDate',
    'reminderType',
    'status',
    'scheduledFor',
    'sentAt',
    'delivery',
    'confirmedAt',
    'failure',
    'attempts',
    'closed',
  ],
  async findPage({ db }: { db: CommonQueryMethods }, { scope: { practiceId }, limit, cursor }: Request) {
    const { confirmations, next } = await findConfirmations(db, { practiceId, limit, cursor })
    return { records: await withNames(db, confirmations), next }
  },
}

/** Reads the offers of freed slots and what became of them, page by page. */
export const madeOffers = {
  fields: [
    'id',
    'patientId',
    'providerName',
    'startsAt',
    'duration',
    'channel',
    'status',
    'reason',
    'dueAt',
    'expiresAt',
    'sentAt',
    'delivery',
    'endedAt',
    'appointmentId',
  ],
  async findPage({ db }: { db: CommonQueryMethods }, { scope: { practiceId }, limit, cursor }: Request) {
    const { offers, next } = await findSlotOffers(db, { practiceId, limit, cursor })
    return { records: await withNames(db, offers), next }
  },
}

/** Reads the questions about satisfaction and the answers, page by page. What patients wrote is among their messages. */
export const askedSurveys = {
  fields: ['id', 'patientId', 'appointmentId', 'channel', 'status', 'dueAt', 'sentAt', 'score', 'answeredAt'],
  async findPage({ db }: { db: CommonQueryMethods }, { scope: { practiceId }, limit, cursor }: Request) {
    const { surveys, next } = await findSurveys(db, { practiceId, limit, cursor })
    return { records: await withNames(db, surveys), next }
  },
}
