import { toLocalDate } from '#contracts/values/calendar.ts'
import { findPatientCards } from '#modules/patients/public.ts'
import { findEntries } from '#modules/waitlist/matching/public.ts'
import { formatCount, formatDay, formatName, typeLabels } from '../format.ts'
import { type AnswerContext, can, type ChatReply, createReply, joinLines, maxListed, refuse } from '../reply.ts'

/** Lists the patients who would like an earlier slot, longest wait first. */
export async function answerWaitlist(context: AnswerContext): Promise<ChatReply> {
  const { db, scope, zone, today } = context
  if (!can(context, 'scheduling')) return refuse('the waitlist')
  const entries = (await findEntries(db, scope)).filter(({ patientDeceased }) => !patientDeceased)
  const cards = await findPatientCards(db, scope, [...new Set(entries.map(({ patientId }) => patientId))])
  const byId = new Map<string, (typeof cards)[number]>(cards.map((card) => [card.id, card]))
  const waiting = entries
    .flatMap((entry) => {
      const card = byId.get(entry.patientId)
      return card ? [{ ...entry, card }] : []
    })
    .toSorted((a, b) => (a.waitingSince < b.waitingSince ? -1 : 1))
  const lines = waiting.map(
    ({ card, type, duration, waitingSince }) =>
      `${formatName(card)}, ${typeLabels[type]}, ${duration} minutes, since ${formatDay(toLocalDate(waitingSince, zone), today)}`,
  )
  const head =
    waiting.length === 0
      ? 'The waitlist is empty.'
      : `${formatCount(waiting.length, 'patient is', 'patients are')} on the waitlist, longest wait first:`
  return createReply(joinLines(head, lines), {
    sources: [{ kind: 'waitlist', id: 'waitlist', label: 'Waitlist', href: '/appointments?provider=all' }],
    permissions: ['scheduling'],
    patientIds: waiting.slice(0, maxListed).map(({ patientId }) => patientId),
  })
}
