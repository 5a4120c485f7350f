import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export type Sent = {
  method: string
  target: string
  headers: Record<string, string>
  body?: string | Buffer | undefined
}

/** The outcome of a request. `closed`: the server closed the connection without a response, as it does with invalid HTTP. */
export type Outcome =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; text: string }
  | { kind: 'closed'; reason: string }
  | { kind: 'hung' }

/** Sends requests that `fetch` would refuse to send. */
export type Sender = { send(sent: Sent): Promise<Outcome>; close(): void }

/**
 * Creates a sender. Without `maxMs` it waits for a response as long as the test does. On Linux it uses a client address of
 * its own, so that limits per address do not affect other clients of the same machine.
 */
export function createSender(url: string, maxMs?: number): Sender {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const localAddress = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {}
  const send = ({ method, target, headers, body }: Sent) =>
    new Promise<Outcome>((resolve) => {
      const timer = maxMs === undefined ? undefined : setTimeout(() => finish({ kind: 'hung' }), maxMs)
      const finish = (outcome: Outcome) => {
        clearTimeout(timer)
        resolve(outcome)
        if (outcome.kind !== 'answered') outgoing.destroy()
      }
      const options = {
        host: hostname,
        port,
        method,
        path: target,
        headers: withLength(headers, body),
        agent,
        ...localAddress,
      }
      const outgoing = request(options, (response) => {
        const { statusCode: status = 0, headers: received } = response
        const answered = (text: string) => finish({ kind: 'answered', status, headers: received, text })
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
          // A stream of events never ends by itself.
          if (!received['content-type']?.startsWith('text/event-stream')) return
          answered(text)
          outgoing.destroy()
        })
        response.on('end', () => answered(text))
        response.on('error', () => answered(text))
      })
      outgoing.on('error', (error: NodeJS.ErrnoException) =>
        finish({ kind: 'closed', reason: error.code ?? error.message }),
      )
      outgoing.end(body)
    })
  return { send, close: () => agent.destroy() }
}

const withLength = (headers: Record<string, string>, body: string | Buffer | undefined) =>
  body === undefined || 'transfer-encoding' in headers
    ? headers
    : { ...headers, 'content-length': String(Buffer.byteLength(body)) }
