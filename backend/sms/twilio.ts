import type { Twilio } from 'twilio'
import { MailOutcomeUnknown, MailPostponed, MailRefused, MailUnavailable } from '#mail/errors.ts'
import { numberStopped, type TextMessage, type TextVendor } from './sms.ts'

/** The account of an installation at Twilio. */
export type TwilioSettings = {
  accountSid: string
  authToken: string
  /** A number in E.164, or the id of a messaging service (MG…). */
  from: string
  /** The address of the API in place of https://api.twilio.com, without a trailing slash; null for the real one. */
  apiBase: string | null
  /** The address that Twilio reports to when a message was not delivered; null where the internet does not reach this installation. */
  statusUrl: string | null
}

/** Milliseconds after which a request without a reply is given up. */
const timeoutMs = 30_000
/** The newest messages to a number among which a message is looked for. */
const maxListed = 50

/** Errors before anything was sent over the connection. */
const unsentCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

type Failure = { status?: unknown; code?: unknown }

/** Returns the error of the port for one of Twilio's SDK, whose message may quote the number. */
function toMailError(error: unknown): Error {
  const { status, code } = (error ?? {}) as Failure
  if (typeof status !== 'number')
    return typeof code === 'string' && unsentCodes.has(code) ? new MailUnavailable(code) : new MailOutcomeUnknown()
  // The number has answered STOP.
  if (code === 21_610) return new MailRefused(numberStopped)
  const reason = `twilio-${typeof code === 'number' ? code : status}`
  if (status === 429) return new MailPostponed(reason)
  // The account, not the message, is refused.
  if (status === 401 || status === 403 || status === 404) return new MailUnavailable(reason)
  return status >= 500 ? new MailOutcomeUnknown() : new MailRefused(reason)
}

/** Creates the sender of text messages through Twilio. Its SDK is loaded with the first message. */
export function createTwilioSender(settings: TwilioSettings): TextVendor {
  let client: Promise<Twilio> | undefined
  const load = () => (client ??= openClient(settings))
  const origin = settings.from.startsWith('MG') ? { messagingServiceSid: settings.from } : { from: settings.from }

  return {
    kind: 'vendor',
    async send({ key, to, text }) {
      const statusCallback = settings.statusUrl && `${settings.statusUrl}?key=${encodeURIComponent(key)}`
      const twilio = await load()
      try {
        await twilio.messages.create({ ...origin, to, body: text, ...(statusCallback ? { statusCallback } : {}) })
      } catch (error) {
        throw toMailError(error)
      }
    },
    async verify() {
      const twilio = await load()
      try {
        await twilio.api.v2010.accounts(settings.accountSid).fetch()
      } catch (error) {
        // Nothing was sent: an outcome cannot be unknown.
        const failure = toMailError(error)
        throw failure instanceof MailOutcomeUnknown ? new MailUnavailable('no-reply') : failure
      }
    },
    async hasReceived({ to, text }: TextMessage, since) {
      const twilio = await load()
      try {
        const messages = await twilio.messages.list({ to, limit: maxListed })
        return messages.some(({ body, dateCreated }) => body === text && dateCreated >= since)
      } catch {
        // Nothing was changed by the question.
        throw new MailUnavailable('twilio-list')
      }
    },
  }
}

async function openClient({ accountSid, authToken, apiBase }: TwilioSettings): Promise<Twilio> {
  const { default: sdk } = await import('twilio')
  const http = new sdk.RequestClient({ timeout: timeoutMs })
  const httpClient =
    apiBase === null
      ? http
      : Object.assign(Object.create(http) as typeof http, {
          request: (options: Parameters<typeof http.request>[0]) =>
            http.request({ ...options, uri: options.uri.replace(/^https:\/\/[^/]+/, apiBase) }),
        })
  return sdk(accountSid, authToken, { httpClient })
}
