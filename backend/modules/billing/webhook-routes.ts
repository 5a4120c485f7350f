import type { IncomingMessage } from 'node:http'
import { Router } from '@koa/router'
import { readWithTimeout } from '#http/body-timeout.ts'
import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import { receiveMessage } from './receive-message.ts'

/** Maximum size of a webhook in bytes. Stripe's are a few kilobytes. */
const maxBytes = 1_048_576

/** The endpoint for the payment provider's webhooks. The signature covers the raw bytes, so the body is not parsed first. */
export function webhookRoutes(services: Services): Router {
  const router = new Router()
  router.post('/api/stripe/webhook', async (ctx) => {
    if ((ctx.request.length ?? 0) > maxBytes) throw tooLarge()
    await receiveMessage(services, await readWithTimeout(ctx, () => readBody(ctx.req)), ctx.get('Stripe-Signature'))
    ctx.set('Cache-Control', 'no-store')
    ctx.body = { received: true }
  })
  return router
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Listeners instead of async iteration, which would close the connection before the error is sent.
  await new Promise<void>((resolve, reject) => {
    request
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > maxBytes) reject(tooLarge())
        else chunks.push(chunk)
      })
      .on('end', resolve)
      .on('close', () => reject(new ProblemError(400, 'request-aborted', 'The request was aborted.')))
      .on('error', reject)
  })
  return Buffer.concat(chunks)
}

const tooLarge = () => new ProblemError(413, 'too-large', 'This is more than can be sent at once.')
