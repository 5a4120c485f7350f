import type { IncomingMessage } from 'node:http'
import { Router } from '@koa/router'
import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import { receiveMessage } from './receive-message.ts'

/** The largest message that is read, in bytes. Stripe's are a few kilobytes. */
const maxBytes = 1_048_576

/** Where the payment provider sends its messages. The signature is over the bytes, so they are read as they are. */
export function webhookRoutes(services: Services): Router {
  const router = new Router()
  router.post('/api/stripe/webhook', async (ctx) => {
    if ((ctx.request.length ?? 0) > maxBytes) throw tooLarge()
    await receiveMessage(services, await bytesOf(ctx.req), ctx.get('Stripe-Signature'))
    ctx.set('Cache-Control', 'no-store')
    ctx.body = { received: true }
  })
  return router
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Read by hand and not by iteration, which would close the connection before anybody was told why.
  await new Promise<void>((resolve, reject) => {
    request
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > maxBytes) reject(tooLarge())
        else chunks.push(chunk)
      })
      .on('end', resolve)
      .on('close', () => reject(new ProblemError(400, 'gone', 'The request was cut off.')))
      .on('error', reject)
  })
  return Buffer.concat(chunks)
}

const tooLarge = () => new ProblemError(413, 'too-large', 'This is more than can be sent at once.')
