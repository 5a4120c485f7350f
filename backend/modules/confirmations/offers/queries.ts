import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { SlotOffer } from '#contracts/confirmations.ts'
import { findPracticeProviders } from '#modules/providers/public.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'

const TotalRow = z.object({ total: z.number() })

const StoredOffer = SlotOffer.omit({ answerUrl: true, providerName: true }).extend({ providerId: z.string() })

/** An offer as a list shows it, without its link. */
export type ListedOffer = Omit<SlotOffer, 'answerUrl'>

type Page = { practiceId: string; limit: number; cursor?: string | undefined }

/** Finds a page of the offers of a practice, latest first, with the number of all. Those to removed patients are left out. */
export async function findSlotOffers(
  db: CommonQueryMethods,
  { practiceId, limit, cursor }: Page,
): Promise<{ offers: ListedOffer[]; total: number; next: string | null }> {
  const place = cursor === undefined ? null : decodeCursor(cursor)
  const after = place
    ? sql.fragment`and (o.due_at, o.id) < (${place.at}::timestamptz, ${place.id}::uuid)`
    : sql.fragment``
  const all = sql.fragment`
    from read.slot_offers o join read.confirmation_patients p on p.id = o.patient_id
    where o.practice_id = ${practiceId} and not p.removed`
  const [found, total, providers] = await Promise.all([
    db.any(sql.type(StoredOffer)`
      select o.id, o.patient_id as "patientId", concat_ws(' ', p.first_name, p.last_name) as "patientName",
        o.provider_id as "providerId", o.starts_at as "startsAt", o.duration, o.channel, o.status, o.reason,
        o.due_at as "dueAt", o.expires_at as "expiresAt", o.sent_at as "sentAt", o.ended_at as "endedAt", o.delivery,
        o.appointment_id as "appointmentId"
      ${all} ${after} order by o.due_at desc, o.id desc limit ${limit + 1}`),
    db.oneFirst(sql.type(TotalRow)`select count(*)::int4 as total ${all}`),
    findPracticeProviders(db, practiceId),
  ])
  const names = new Map<string, string>(providers.map(({ id, name }) => [id, name]))
  const offers = found
    .slice(0, limit)
    .map(({ providerId, ...offer }) => ({ ...offer, providerName: names.get(providerId) ?? '' }))
  const last = found.length > limit ? offers.at(-1) : undefined
  return { offers, total, next: last ? encodeCursor(last.dueAt, last.id) : null }
}
