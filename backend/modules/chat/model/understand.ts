import { AiInteractionId, PracticeId } from '#contracts/values/ids.ts'
import { getWeekday } from '#contracts/values/working-hours.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { askModelOnce, isModelConnected } from '#modules/assistant/public.ts'
import type { Services } from '#modules/module.ts'
import { findNameWords } from '#modules/patients/public.ts'
import type { Intent } from '../intent.ts'
import type { AnswerContext } from '../reply.ts'
import { ModelIntent, readIntent, toInstructions } from './read-intent.ts'
import { listWords, scrubQuestion } from './scrub-question.ts'

/** A person waits for the answer. */
const timeoutMs = 12_000

/**
 * Asks the model what a question means that the rules did not understand. The question leaves without names, numbers and
 * addresses; no record leaves. Null without a model, without a usable reply, and when the model does not know either.
 */
export async function understandByModel(
  services: Services,
  { caller, today, providers }: AnswerContext,
  message: string,
  context: CommandContext,
): Promise<Intent | null> {
  if (!isModelConnected(services)) return null
  const names = await findNameWords(services.db, caller.practiceId, listWords(message))
  const question = scrubQuestion(message, (word) => names.has(word), providers)
  const reply = await askModelOnce(
    services,
    {
      interactionId: AiInteractionId.parse(services.newId('question to a model')),
      practiceId: PracticeId.parse(caller.practiceId),
      interactionType: 'chat-question',
      formId: null,
      instructions: toInstructions(`${today}, a ${getWeekday(today)}`),
      input: question.text,
      name: 'question',
      schema: ModelIntent,
    },
    context,
    AbortSignal.timeout(timeoutMs),
  )
  const intent = reply && readIntent(reply, question, today)
  return intent?.kind === 'unknown' ? null : intent
}
