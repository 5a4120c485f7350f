import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { text } from './values/text.ts'

/** The longest question, in characters. */
export const maxQuestionLength = 4_000

/** Questions that one user may ask within a minute. */
export const maxQuestionsPerMinute = 20

/** Messages that the history returns, the newest ones. */
export const historyLength = 100

/** Messages that are kept for each user; older ones are deleted. */
export const maxKeptMessages = 200

/** The assistant's message when its reply could not be loaded (spec page 1, section 8). */
export const chatApology = "I apologize, but I'm having trouble connecting right now. Please try again in a moment."

/** The address of a screen of this application. */
const Href = z.string().regex(/^\/(?!\/)/)

/**
 * Data that an answer rests on, with the screen that shows it. `id` is that of the record; the first date, YYYY-MM-DD, of a
 * schedule; otherwise the name of the figure or list.
 */
export const ChatSource = z.object({
  kind: z.enum([
    'patient',
    'appointment',
    'schedule',
    'waitlist',
    'figures',
    'providers',
    'working-hours',
    'form',
    'forms',
  ]),
  id: z.string(),
  label: z.string(),
  href: Href,
})
export type ChatSource = z.infer<typeof ChatSource>

/** A step that the user may take next: a screen, or a dialog with what is known already filled in. */
export const ChatAction = z.object({ label: z.string(), href: Href })
export type ChatAction = z.infer<typeof ChatAction>

/**
 * An answer. A line of the text that begins with "- " is an item of a list. `sources` is empty when the answer rests on no
 * data of the practice.
 */
export const ChatAnswer = z.object({
  response: z.string(),
  sources: z.array(ChatSource),
  actions: z.array(ChatAction),
})
export type ChatAnswer = z.infer<typeof ChatAnswer>

/** A message of a conversation (spec page 1, section 3). `sources` and `actions` are empty for questions. */
export const ChatMessage = z.object({
  id: z.uuid(),
  type: z.enum(['user', 'assistant']),
  content: z.string(),
  timestamp: z.iso.datetime(),
  sources: z.array(ChatSource),
  actions: z.array(ChatAction),
})
export type ChatMessage = z.infer<typeof ChatMessage>

/**
 * Builds the reply to a question from the data of the caller's practice, as far as the caller's permissions include it; it
 * changes nothing but the history. 429 `too-many-questions` after 20 questions within a minute.
 */
export const askAssistant = endpoint({
  method: 'POST',
  path: '/api/ai/chat',
  access: 'member',
  body: z.strictObject({ message: text(maxQuestionLength).pipe(z.string().min(1, 'Please enter a question')) }),
  reply: ChatAnswer,
})

/** Describes the assistant: the model that reads the questions which its rules do not understand; null where none is connected. */
export const describeAssistant = endpoint({
  method: 'GET',
  path: '/api/ai/chat',
  access: 'member',
  reply: z.object({ model: z.string().nullable() }),
})

/**
 * Lists the last 100 messages of the caller in this practice, oldest first. A message about a patient who was erased has lost
 * its text, and so has an answer that the caller's role no longer includes.
 */
export const getChatHistory = endpoint({
  method: 'GET',
  path: '/api/ai/chat/history',
  access: 'member',
  reply: z.array(ChatMessage),
})

/** Deletes all messages of the caller in this practice. */
export const deleteChatHistory = endpoint({
  method: 'DELETE',
  path: '/api/ai/chat/history',
  access: 'member',
  reply: z.null(),
})
