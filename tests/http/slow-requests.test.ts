import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { logRequests } from '#http/request-middleware.ts'
import { timeStep } from '#runtime/step-times.ts'

it('a slow request is logged with the time of its steps, a fast one without', async () => {
  const lines: string[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(line) })
  const koa = new Koa()
    .use((ctx, next) => logRequests(logger, ctx.path === '/slow' ? 0 : Infinity)(ctx, next))
    .use(async (ctx) => {
      await Promise.all([timeStep('append', async () => undefined), timeStep('read models', async () => undefined)])
      await timeStep('append', async () => undefined)
      ctx.body = 'done'
    })
  const server = koa.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const path of ['/slow', '/fast']) await (await fetch(url + path)).text()
  server.close()
  const [slow, fast] = lines.map((line) => JSON.parse(line) as { steps?: object })
  expect(slow?.steps).toEqual({ append: expect.any(Number), 'read models': expect.any(Number) })
  expect(fast).not.toHaveProperty('steps')
})
