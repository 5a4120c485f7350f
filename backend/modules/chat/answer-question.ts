import type { Member } from '#http/session.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { Services } from '#modules/module.ts'
import { findPracticeProviders } from '#modules/providers/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { answerFigure } from './answers/figures.ts'
import { answerLastForm, answerWaitingForms } from './answers/forms.ts'
import { answerFreeSlots } from './answers/free-slots.ts'
import { answerFindPatient, answerPatientAppointments } from './answers/patients.ts'
import { answerProviders, answerWorkingHours } from './answers/practice.ts'
import { answerNextPatient, answerSchedule } from './answers/schedule.ts'
import { answerChange, answerSmallTalk } from './answers/small-talk.ts'
import { answerWaitlist } from './answers/waitlist.ts'
import type { Intent } from './intent.ts'
import { understandByModel } from './model/understand.ts'
import { parseIntent } from './parse-intent.ts'
import type { AnswerContext, ChatReply } from './reply.ts'

/**
 * Builds the reply to a question from the records that the caller sees, as far as their permissions include it. Reads only: the text of a
 * question selects one of the answers and what is searched, and is never run. Where a model is connected, it reads the questions
 * that the rules do not understand, and only chooses among the same answers.
 */
export async function answerQuestion(
  services: Services,
  caller: Member,
  message: string,
  command: CommandContext,
): Promise<ChatReply> {
  const { db, keyStore, clock } = services
  const { practiceId } = caller
  const now = clock()
  const zone = caller.timezone
  const providers = await findPracticeProviders(db, practiceId)
  const today = toLocalDate(now, zone)
  const scope = recordScope(caller)
  const context = { db, keyStore, clock, caller, scope, zone, now, today, providers }
  const intent = parseIntent(message, { today, providers })
  const answer = intent.kind === 'unknown' ? null : await answerIntent(context, intent)
  if (answer) return answer
  const understood = await understandByModel(services, context, message, command)
  const reply = understood && (await answerIntent(context, understood))
  if (!reply) return answerSmallTalk(context, 'unknown')
  return { ...reply, text: `${reply.text}\n${understoodByModel}` }
}

/** Said below an answer to a question that a model has classified. */
const understoodByModel = 'An AI model read this question, without names. Please check that this is what you asked.'

/** Returns null when only a possible name was recognized, and no patient has it. */
async function answerIntent(context: AnswerContext, intent: Intent): Promise<ChatReply | null> {
  switch (intent.kind) {
    case 'schedule':
      return await answerSchedule(context, intent)
    case 'next-patient':
      return await answerNextPatient(context, intent)
    case 'patient-appointments':
      return await answerPatientAppointments(context, intent)
    case 'find-patient':
      return await answerFindPatient(context, intent)
    case 'free-slots':
      return await answerFreeSlots(context, intent)
    case 'waitlist':
      return await answerWaitlist(context)
    case 'figure':
      return await answerFigure(context, intent)
    case 'providers':
      return await answerProviders(context)
    case 'working-hours':
      return await answerWorkingHours(context, intent)
    case 'forms-waiting':
      return await answerWaitingForms(context)
    case 'last-form':
      return await answerLastForm(context, intent)
    case 'change':
      return await answerChange(context, intent)
    case 'greeting':
    case 'thanks':
    case 'help':
    case 'unknown':
      return answerSmallTalk(context, intent.kind)
  }
}
