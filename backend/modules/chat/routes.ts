import { Router } from '@koa/router'
import * as contract from '#contracts/assistant.ts'
import { ProblemError } from '#http/problems.ts'
import { createRateLimiter, type Limit } from '#http/rate-limiter.ts'
import { serve } from '#http/serve.ts'
import { getModelName } from '#modules/assistant/public.ts'
import type { Services } from '#modules/module.ts'
import { answerQuestion } from './answer-question.ts'
import { deleteHistory, findHistory, type NewMessage, storeMessages } from './history-store.ts'

/** Questions of one user. */
const questionsPerUser: Limit = {
  purpose: 'assistant question',
  maxAttempts: contract.maxQuestionsPerMinute,
  maxFurtherAttempts: contract.maxQuestionsPerMinute,
  lockMinutes: [1],
  windowHours: 1 / 60,
  code: 'too-many-questions',
  message: 'Too many questions.',
}

/** The endpoints of the assistant. */
export function chatRoutes(services: Services): Router {
  const { relaxedPool, clock, keyedHash, newId } = services
  const router = new Router()
  const createUnavailable = () =>
    new ProblemError(503, 'unavailable', 'The assistant is not available right now. Please try again soon.', {
      headers: { 'Retry-After': '5' },
    })
  const rateLimiter = createRateLimiter({ pool: relaxedPool, clock, keyedHash, createUnavailable })

  serve(router, contract.askAssistant, async ({ caller, body: { message } }, { commandContext }) => {
    await rateLimiter.consume([{ limit: questionsPerUser, value: caller.userId }])
    const { text, sources, actions, permissions, patientIds } = await answerQuestion(
      services,
      caller,
      message,
      commandContext,
    )
    // A question that names a patient is as unreadable as its answer once that patient is erased.
    const question = { text: message, sources: [], actions: [], permissions: [], patientIds }
    const messages: NewMessage[] = [
      { id: newId('question'), type: 'user', ...question },
      { id: newId('answer'), type: 'assistant', text, sources, actions, permissions, patientIds },
    ]
    await storeMessages(services, caller, messages, clock())
    return { response: text, sources, actions }
  })

  serve(router, contract.describeAssistant, async () => ({ model: getModelName(services) }))

  serve(router, contract.getChatHistory, ({ caller }) => findHistory(services, caller))

  serve(router, contract.deleteChatHistory, async ({ caller }) => {
    await deleteHistory(services, caller)
    return null
  })

  return router
}
