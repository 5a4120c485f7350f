import { listMessages, readText } from '#mail/outbox.ts'
import { waitUntil } from './wait-until.ts'

type App = { outbox: string }

/** Returns the texts of the messages in the outbox to an address, oldest first. */
export async function readMessages(app: App, email: string): Promise<string[]> {
  const messages = (await listMessages(app.outbox)).filter(({ to }) => to === email)
  return await Promise.all(messages.map((message) => readText(app.outbox, message)))
}

/** Waits until there are this many messages to an address, and returns their texts. */
export const waitForMessages = (app: App, email: string, count: number): Promise<string[]> =>
  waitUntil(
    () => readMessages(app, email),
    (messages) => messages.length === count,
  )

/** Returns the token of the link to choose a new password in the last of these messages. */
export const findResetToken = (messages: readonly string[]): string =>
  /\/reset\/(\S+)/.exec(messages.at(-1) ?? '')?.[1] ?? ''

/** Waits for the message with the link that confirms a new address, of one user if given, and returns its token. */
export async function waitForEmailToken(app: App, email: string, userId = ''): Promise<string> {
  const findToken = async () =>
    (await readMessages(app, email))
      .flatMap((message) => /\/email\/(\S+)/.exec(message)?.[1] ?? [])
      .findLast((token) => token.startsWith(userId))
  return (await waitUntil(findToken)) ?? ''
}

/** Waits for a message to an address that contains a text, and returns it. */
export async function waitForMessage(app: App, email: string, text: string): Promise<string> {
  const find = async () => (await readMessages(app, email)).find((message) => message.includes(text))
  return (await waitUntil(find)) ?? ''
}
