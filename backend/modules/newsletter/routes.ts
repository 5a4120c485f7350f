import Router from '@koa/router'
import { newsletterPages, subscribeToNewsletter } from '#contracts/newsletter.ts'
import { serve } from '#http/serve.ts'
import { createFormReader, parseForm } from '#http/plain-form.ts'
import { runPageWrite } from '#http/run-page-write.ts'
import type { Services } from '#modules/module.ts'
import { addNewsletterPages } from './pages.ts'
import { createPublicForm } from './request-newsletter.ts'

/** Maximum size of a plain form in bytes. */
const maxFormBytes = 8 * 1024

/** The public form of the newsletter, for programs and for pages without script, and the pages behind its links. */
export function newsletterRoutes(services: Services): Router {
  const router = new Router()
  const request = createPublicForm(services)
  const readForm = createFormReader(maxFormBytes)

  router.post(subscribeToNewsletter.path, async (ctx, next) => {
    if (!ctx.is('application/x-www-form-urlencoded')) return await next()
    const form = parseForm(subscribeToNewsletter.body, await readForm(ctx))
    const visitor = { clientAddress: ctx.ip, correlationId: ctx.state.correlationId as string }
    await runPageWrite(ctx, () => request(form, visitor))
    ctx.redirect(newsletterPages.thanks)
    ctx.status = 303
  })

  serve(router, subscribeToNewsletter, async ({ body }, visitor) => {
    await request(body, visitor)
    return { delivery: services.mail.kind === 'smtp' ? 'mail' : 'outbox' } as const
  })

  addNewsletterPages(router, services)
  return router
}
