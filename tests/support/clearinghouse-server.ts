import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ClearinghouseSettings } from '#modules/insurance/eligibility/settings.ts'

/** A received question: its segments, its trace, and what identifies it. */
export type EligibilityCall = {
  x12: string
  trace: string
  idempotencyKey: string
  authorization: string
  keys: string[]
}

/** A text is sent as `x12`. `isLost`: the connection is cut instead. `after`: the reply is sent when it resolves. */
export type EligibilityResponse = {
  x12?: string
  status?: number
  body?: string
  isLost?: boolean
  after?: Promise<unknown>
}

/** Starts a stand-in for a clearinghouse on plain HTTP; `calls` records the questions, `settings` lead there. */
export async function startClearinghouseServer(answer: (call: EligibilityCall) => EligibilityResponse) {
  const calls: EligibilityCall[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', async () => {
        const sent = JSON.parse(Buffer.concat(chunks).toString()) as { x12: string }
        const call = {
          x12: sent.x12,
          trace: /\nTRN\*1\*(\w+)/.exec(sent.x12.replaceAll('~', '\n'))?.[1] ?? '',
          idempotencyKey: String(request.headers['idempotency-key']),
          authorization: String(request.headers.authorization),
          keys: Object.keys(sent),
        }
        calls.push(call)
        const { x12, status = 200, body = JSON.stringify({ x12 }), isLost, after } = answer(call)
        await after
        if (isLost) return void request.socket.destroy()
        response.writeHead(status, { 'Content-Type': 'application/json' })
        response.end(body)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const settings: ClearinghouseSettings = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/eligibility/x12`,
    key: 'key-of-the-test-run',
  }
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { calls, settings, close }
}
