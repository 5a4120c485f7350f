import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { MailOutcomeUnknown, MailPostponed, MailRefused, MailUnavailable } from './errors.ts'

/** A mail server. Without TLS from the start, the connection is upgraded with STARTTLS before anything is sent. */
export type SmtpSettings = {
  host: string
  port: number
  /** TLS from the first byte (smtps). */
  secure: boolean
  /** On this machine a connection may stay unencrypted, and its certificate is not checked. */
  isLoopback: boolean
  credentials: { user: string; password: string } | null
  /** Certificates to trust instead of the well-known ones, in PEM. */
  ca?: string
  timeouts?: SmtpTimeouts
}

/** Milliseconds. */
export type SmtpTimeouts = { dnsMs: number; connectMs: number; greetingMs: number; replyMs: number }

const defaultTimeouts: SmtpTimeouts = { dnsMs: 10_000, connectMs: 15_000, greetingMs: 15_000, replyMs: 120_000 }

type Stage = 'connect' | 'login' | 'send'

/**
 * Sends one message over a connection of its own. Resolves when the server has accepted it. Throws MailOutcomeUnknown when
 * the server has begun to receive it and did not answer, and another MailError when it was certainly not accepted. An abort
 * takes effect only before that point.
 */
export async function sendBySmtp(
  settings: SmtpSettings,
  envelope: { from: string; to: string },
  content: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const { credentials } = settings
  const connection = createConnection(settings)
  let stage: Stage = 'connect'
  let isHandedOver = false
  // Read only after the server's reply to DATA.
  const body = new Readable({
    read() {
      isHandedOver = true
      this.push(content)
      this.push(null)
    },
  })
  try {
    await new Promise<void>((resolve, reject) => {
      const abort = () => isHandedOver || reject(new Error('Aborted'))
      signal.addEventListener('abort', abort, { once: true })
      if (signal.aborted) abort()
      connection.on('error', reject)
      const send = () => {
        stage = 'send'
        connection.send({ from: envelope.from, to: [envelope.to] }, body, (error) =>
          error ? reject(error) : resolve(),
        )
      }
      connection.connect((error) => {
        if (error) return reject(error)
        if (!credentials) return send()
        stage = 'login'
        const { user, password } = credentials
        connection.login({ user, pass: password }, (refused) => (refused ? reject(refused) : send()))
      })
    })
    connection.quit()
  } catch (error) {
    connection.close()
    throw toMailError(error as SmtpError, stage, isHandedOver)
  }
}

/** Connects to a mail server and signs in, without sending anything. Throws MailUnavailable. */
export async function verifySmtp(settings: SmtpSettings, signal: AbortSignal): Promise<void> {
  const { credentials } = settings
  const connection = createConnection(settings)
  try {
    await new Promise<void>((resolve, reject) => {
      const abort = () => reject(Object.assign(new Error('Aborted'), { code: 'ETIMEDOUT' }))
      signal.addEventListener('abort', abort, { once: true })
      if (signal.aborted) abort()
      connection.on('error', reject)
      connection.connect((error) => {
        if (error) return reject(error)
        if (!credentials) return resolve()
        const { user, password } = credentials
        connection.login({ user, pass: password }, (refused) => (refused ? reject(refused) : resolve()))
      })
    })
    connection.quit()
  } catch (error) {
    connection.close()
    throw toMailError(error as SmtpError, 'connect', false)
  }
}

function createConnection({ host, port, secure, isLoopback, ca, timeouts = defaultTimeouts }: SmtpSettings) {
  return new SMTPConnection({
    host,
    port,
    secure,
    requireTLS: !secure && !isLoopback,
    tls: { rejectUnauthorized: !isLoopback, ...(ca === undefined ? {} : { ca }) },
    dnsTimeout: timeouts.dnsMs,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.replyMs,
  })
}

/** An error of nodemailer; `responseCode` when the server replied. */
type SmtpError = Error & { code?: string; responseCode?: number | false }

/** Replies that refuse this installation instead of the message: sign in first, wrong password, encryption required. */
const installationRefused = new Set([530, 534, 535, 538])

function toMailError({ code = 'aborted', responseCode }: SmtpError, stage: Stage, isHandedOver: boolean) {
  const reply = responseCode || 0
  const isRefusal = reply >= 400 && reply < 600
  if (!isRefusal) return isHandedOver ? new MailOutcomeUnknown() : new MailUnavailable(code)
  if (stage !== 'send' || installationRefused.has(reply)) return new MailUnavailable(`smtp-${reply}`)
  return reply < 500 ? new MailPostponed(`smtp-${reply}`) : new MailRefused(`smtp-${reply}`)
}
