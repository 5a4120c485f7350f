import type { ChatAction } from '#contracts/assistant.ts'
import { formatDay, formatName, formatTime } from '../format.ts'
import { addPatientAction, createFormAction, getAppointmentHref, toBookingAction } from '../links.ts'
import { type AnswerContext, can, type ChatReply, createReply, type IntentOf, joinLines } from '../reply.ts'
import { aboutPatients, findPeople, loadPatientAppointments } from './patients.ts'

/** Returns what a caller can ask, by example, as far as their role includes the answers. */
function listExamples(context: AnswerContext): string[] {
  return [
    ...(can(context, 'scheduling')
      ? [
          'Who is next?',
          'Show me tomorrow',
          'Who has not confirmed for tomorrow?',
          'Is there a free slot on Thursday for 30 minutes?',
          'When is Maria Alvarez coming?',
          'Who is on the waitlist?',
          'Who is working on Friday?',
        ]
      : []),
    ...(can(context, 'patients:read') ? ['Find (617) 555-0123', 'Which forms wait for review?'] : []),
    'How many patients do we have?',
    ...(can(context, 'billing') ? ['Revenue this month'] : []),
  ]
}

/** Replies to a question about the assistant itself, a greeting, and everything that was not understood. */
export function answerSmallTalk(context: AnswerContext, kind: 'greeting' | 'thanks' | 'help' | 'unknown'): ChatReply {
  if (kind === 'thanks') return createReply('You are welcome.')
  const head = {
    greeting: 'Hello. Ask me about patients, the schedule or forms, for example:',
    help: 'I answer from the data of your practice, and change nothing. You can ask for example:',
    unknown: 'I did not understand this question. I can answer questions such as these:',
  }[kind]
  return createReply(joinLines(head, listExamples(context)))
}

/** Replies to a request for a change: nothing is changed, and a link leads to where the user can do it. */
export async function answerChange(
  context: AnswerContext,
  { change, person, period }: IntentOf<'change'>,
): Promise<ChatReply> {
  const mayBook = can(context, 'scheduling')
  const mayAdd = can(context, 'patients:write')
  const head = 'I change nothing myself.'
  const date = period && period.from >= context.today ? period.from : undefined
  const booking = toBookingAction(date ? { date } : {})
  if (person !== null && (change === 'cancel' || change === 'move') && mayBook && can(context, 'patients:read')) {
    const cards = await findPeople(context, person)
    const [card] = cards
    const [next] = card && cards.length === 1 ? await loadPatientAppointments(context, card.id, 'upcoming') : []
    if (card && next) {
      const what = change === 'cancel' ? 'cancel' : 'move'
      const day = `${formatDay(next.localDate, context.today)}, ${formatTime(next.localTime)}`
      const about = aboutPatients(cards)
      return createReply(`${head} Here you can ${what} the appointment of ${formatName(card)} on ${day}.`, {
        ...about,
        permissions: [...about.permissions, 'scheduling'],
        actions: [{ label: 'Open the appointment', href: getAppointmentHref(next.localDate, next.id) }],
      })
    }
  }
  const actions: Record<typeof change, ChatAction[]> = {
    book: mayBook ? [booking] : [],
    move: mayBook ? [{ label: 'Open the schedule', href: '/appointments' }] : [],
    cancel: mayBook ? [{ label: 'Open the schedule', href: '/appointments' }] : [],
    'add-patient': mayAdd ? [addPatientAction] : [],
    'create-form': mayAdd ? [createFormAction] : [],
    other: [...(mayBook ? [booking] : []), ...(mayAdd ? [addPatientAction, createFormAction] : [])],
  }
  const offered = actions[change]
  return createReply(offered.length > 0 ? `${head} You can do it here:` : `${head} Your role does not include this.`, {
    actions: offered,
  })
}
