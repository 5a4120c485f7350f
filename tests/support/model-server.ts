import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelAnalysis } from '#modules/assistant/model/read-reply.ts'
import type { ModelSettings } from '#modules/assistant/settings.ts'

/** A received question. */
export type ModelCall = { path: string; body: string; authorization: string | undefined }

/** `isLost`: the connection is cut instead of the reply. `after`: the reply is sent only when it resolves. */
export type ModelResponse = {
  status?: number
  body: unknown
  headers?: Record<string, string>
  isLost?: boolean
  after?: Promise<unknown>
}

/** Returns a reply of OpenAI's Responses API with a text, or with `parts` in place of it. */
export const respond = (
  output: ModelAnalysis | string | readonly object[],
  over: object = {},
  usage = { input_tokens: 2_000, output_tokens: 500 },
): ModelResponse => {
  const parts = Array.isArray(output)
    ? (output as readonly object[])
    : [{ type: 'output_text', annotations: [], text: typeof output === 'string' ? output : JSON.stringify(output) }]
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: parts }
  return {
    body: { id: 'resp_1', object: 'response', status: 'completed', output: [message], usage, ...over },
  }
}

/** Starts a stand-in for OpenAI's API on plain HTTP; `calls` records the requests, `settings` lead there. */
export async function startModelServer(answer: (call: ModelCall) => ModelResponse) {
  const calls: ModelCall[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', async () => {
        const { authorization } = request.headers
        const call = { path: request.url ?? '', body: Buffer.concat(chunks).toString(), authorization }
        calls.push(call)
        const { status = 200, body, headers, isLost, after } = answer(call)
        await after
        if (isLost) return void request.socket.destroy()
        response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
        response.end(typeof body === 'string' ? body : JSON.stringify(body))
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const settings: ModelSettings = {
    apiKey: 'sk-of-the-test-run',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    model: 'gpt-5',
    price: { input: 1.25, output: 10 },
    dailyBudget: 1,
  }
  return {
    calls,
    settings,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
