import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startHttpServer } from '#runtime/http-server.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

it('a stop answers requests on open connections instead of resetting them, then closes the connections', async () => {
  const answer = (_request: unknown, response: ServerResponse) => void response.end('answered')
  // On a busy machine, the request might arrive only after the usual time.
  const grace = Promise.withResolvers<void>()
  const server = await startHttpServer(answer, 0, '127.0.0.1', () => grace.promise)
  const socket = connect(server.port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString()))
  const ask = () => socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n')
  ask()
  await waitUntil(() => received.endsWith('answered'))
  expect(received).toContain('Connection: keep-alive')

  received = ''
  const ended = once(socket, 'end')
  const unused = connect(server.port, '127.0.0.1')
  await once(unused, 'connect')
  const closed = server.close(1_000)
  ask()
  await ended
  grace.resolve()
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n[^]*answered$/)
  unused.destroy()
  await closed
})
