import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received call, with its form parsed as Stripe does. */
export type StripeCall = {
  method: string
  path: string
  form: Record<string, string>
  headers: Record<string, string | string[] | undefined>
}

/** `isLost`: the connection is cut instead of the reply. `after`: the reply is sent only when it resolves. */
export type StripeResponse = {
  status?: number
  body: object
  headers?: Record<string, string>
  isLost?: boolean
  after?: Promise<unknown>
}

/** Starts a stand-in for Stripe's API. `answer` returns its replies; `calls` records the requests. */
export async function startStripeServer(answer: (call: StripeCall) => StripeResponse) {
  const calls: StripeCall[] = []
  let now = new Date()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', async () => {
        const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
        const call = { method: request.method ?? '', path: request.url ?? '', form, headers: request.headers }
        calls.push(call)
        const { status = 200, body, headers, isLost, after } = answer(call)
        await after
        if (isLost) return void request.socket.destroy()
        response.writeHead(status, { 'Content-Type': 'application/json', Date: now.toUTCString(), ...headers })
        response.end(JSON.stringify(body))
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    calls,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets its clock. */
    setTime(time: Date) {
      now = time
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
