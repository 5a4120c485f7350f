import { readFileSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { SmtpSettings } from '#mail/smtp.ts'

/** The certificate of the server for localhost and 127.0.0.1, signed by itself, in PEM. */
export const certificate = readFileSync('tests/fixtures/mail-server/certificate.pem', 'utf8')
const key = readFileSync('tests/fixtures/mail-server/key.pem', 'utf8')

/** The reply to a recipient or to the end of the content: accepted, a code of refusal, or a cut connection. */
export type MailReply = 'accept' | 'cut' | number

type Step = 'connection' | 'recipient' | 'content'

type Options = {
  /** `none` offers no encryption; `starttls` after the greeting; `tls` from the first byte. */
  encryption?: 'none' | 'starttls' | 'tls'
  /** The only credentials that are accepted; without them, clients need not sign in. */
  credentials?: { user: string; password: string } | null
  /** Returns the reply to a step; a promise that does not resolve leaves the client waiting. */
  answer?: (step: Step) => MailReply | Promise<MailReply>
  /** The port; 0 takes any free one. */
  port?: number
}

/** A message whose content the server has received completely, whatever it replied. */
export type ReceivedMessage = { to: string; from: string; content: string; isEncrypted: boolean; user: string | null }

/** Starts a real SMTP server on this machine. `messages` records what arrives. */
export async function startMailServer({
  encryption = 'none',
  credentials = null,
  answer = () => 'accept',
  port: wantedPort = 0,
}: Options = {}) {
  const messages: ReceivedMessage[] = []
  const sockets = new Set<Socket>()

  async function reply(step: Step, accept: (error?: Error) => void): Promise<void> {
    const decided = await answer(step)
    if (decided === 'accept') return accept()
    if (decided === 'cut') for (const socket of sockets) socket.destroy()
    else accept(Object.assign(new Error('Not accepted here'), { responseCode: decided }))
  }

  const server = new SMTPServer({
    secure: encryption === 'tls',
    key,
    cert: certificate,
    disabledCommands: [...(encryption === 'none' ? ['STARTTLS'] : []), ...(credentials ? [] : ['AUTH'])],
    authOptional: credentials === null,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect: (_, callback) => void reply('connection', callback),
    onAuth: ({ username = '', password }, _, callback) =>
      credentials && username === credentials.user && password === credentials.password
        ? callback(null, { user: username })
        : callback(Object.assign(new Error('Wrong password'), { responseCode: 535 })),
    onRcptTo: (_, __, callback) => void reply('recipient', callback),
    onData(stream, { envelope, secure, user }, callback) {
      const chunks: Buffer[] = []
      stream
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          messages.push({
            to: envelope.rcptTo.map(({ address }) => address).join(', '),
            from: envelope.mailFrom ? envelope.mailFrom.address : '',
            content: Buffer.concat(chunks).toString(),
            isEncrypted: secure,
            user: typeof user === 'string' ? user : null,
          })
          void reply('content', callback)
        })
    },
  })
  // A client that is killed or that gives up is part of the tests.
  server.on('error', () => undefined)
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(wantedPort, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    messages,
    /** The settings of a client that trusts this server only as far as one on another machine. */
    remoteSettings: (over: Partial<SmtpSettings> = {}): SmtpSettings => ({
      host: '127.0.0.1',
      port,
      secure: encryption === 'tls',
      isLoopback: false,
      credentials,
      ca: certificate,
      ...over,
    }),
    /** The settings of a client on the same machine. */
    settings: (over: Partial<SmtpSettings> = {}): SmtpSettings => ({
      host: '127.0.0.1',
      port,
      secure: encryption === 'tls',
      isLoopback: true,
      credentials,
      ...over,
    }),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>
