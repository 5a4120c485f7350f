import { randomBytes } from 'node:crypto'
import { Router } from '@koa/router'
import { calendarFeed, createCalendarFeed, listCalendarFeeds, revokeCalendarFeed } from '#contracts/calendar-feeds.ts'
import { CalendarFeedId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-bus.ts'
import { notFound } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { findFeedAppointments } from '#modules/appointments/public.ts'
import type { Services } from '#modules/module.ts'
import { findProviderName, requireProvider } from '#modules/providers/public.ts'
import { calendarFeedDecider } from './decider.ts'
import { renderCalendar } from './ical.ts'
import { findCalendarFeeds, findProviderBySecret } from './queries.ts'

const dayMs = 24 * 3_600_000

/** Serves the calendar feeds of a practice, and the calendars that they open. */
export function calendarFeedRoutes(services: Services): Router {
  const { bus, db, clock, newId, keyedHash } = services
  const router = new Router()
  const hash = (secret: string) => keyedHash('calendar feed', secret)

  serve(router, listCalendarFeeds, ({ caller }) => findCalendarFeeds(db, caller.practiceId))

  serve(router, createCalendarFeed, async ({ caller, body: { providerId, label } }, { commandContext }) => {
    const { practiceId, userId: createdBy } = caller
    await requireProvider(services, caller, providerId, commandContext)
    const calendarFeedId = CalendarFeedId.parse(newId())
    const secret = randomBytes(32).toString('base64url')
    const feed = { calendarFeedId, practiceId, providerId, label, secretHash: hash(secret), createdBy }
    await bus.execute(calendarFeedDecider, calendarFeedId, { type: 'Create', feed }, commandContext)
    const row = (await findCalendarFeeds(db, practiceId)).find(({ id }) => id === calendarFeedId)
    const decided = { id: calendarFeedId, providerId, label, createdAt: clock().toISOString(), createdBy: null }
    return { ...(row ?? decided), path: `${calendarFeed.path}?token=${secret}` }
  })

  serve(
    router,
    revokeCalendarFeed,
    async ({ caller: { practiceId }, params: { calendarFeedId } }, { commandContext }) => {
      const command = { type: 'Revoke', practiceId } as const
      await bus.execute(calendarFeedDecider, calendarFeedId, command, commandContext).catch((error: unknown) => {
        throw error instanceof CommandRejected ? notFound('calendar address') : error
      })
      return null
    },
  )

  serve(router, calendarFeed, async ({ query: { token } }, { setHeader }) => {
    const providerId = token === '' ? null : await findProviderBySecret(db, hash(token))
    const providerName = providerId && (await findProviderName(db, providerId))
    if (!providerId || providerName === null) throw notFound('calendar')
    const now = clock().getTime()
    const toIso = (time: number) => new Date(time).toISOString()
    const appointments = await findFeedAppointments(db, providerId, toIso(now - 31 * dayMs), toIso(now + 366 * dayMs))
    setHeader('Content-Type', 'text/calendar; charset=utf-8')
    setHeader('Cache-Control', 'private, max-age=300')
    return renderCalendar(providerName, appointments)
  })

  return router
}
