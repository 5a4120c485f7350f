import { randomBytes } from 'node:crypto'
import { Router } from '@koa/router'
import { calendarFeed, createCalendarFeed, listCalendarFeeds, revokeCalendarFeed } from '#contracts/calendar-feeds.ts'
import { CalendarFeedId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { currentRequest } from '#eventstore/request-scope.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { findFeedAppointments } from '#modules/appointments/public.ts'
import type { Services } from '#modules/module.ts'
import { findProviderName, requireProvider } from '#modules/providers/public.ts'
import { ReadModelsBehind } from '#modules/kit/wait-for-read-models.ts'
import { calendarFeedDecider } from './decider.ts'
import { renderCalendar } from './ical.ts'
import { endFeedsWithoutRight } from './end-feeds.ts'
import { computeExpiry, findCalendarFeeds, findFeedBySecret, findOpenFeeds } from './queries.ts'

const dayMs = 24 * 3_600_000

/** Serves the calendar feeds of a practice, and the calendars that they open. */
export function calendarFeedRoutes(services: Services): Router {
  const { bus, db, clock, newId, keyedHash, logger } = services
  const router = new Router()
  const hash = (secret: string) => keyedHash('calendar feed', secret)

  serve(router, listCalendarFeeds, async ({ caller: { practiceId } }) => {
    const openFeeds = await findOpenFeeds(db, clock(), practiceId)
    // Without a writable event store, the list can still be read, and none of these feeds.
    await endFeedsWithoutRight(services, openFeeds).catch((err: unknown) =>
      logger.warn({ err }, 'calendar feeds could not be ended'),
    )
    return await findCalendarFeeds(db, practiceId, clock())
  })

  serve(router, createCalendarFeed, async ({ caller, body: { providerId, label } }, { commandContext }) => {
    const { practiceId, userId: createdBy } = caller
    await requireProvider(services, caller, providerId, commandContext)
    const calendarFeedId = CalendarFeedId.parse(newId('calendar feed'))
    const intentId = currentRequest()?.intentId ?? null
    // A repeated request must return the secret whose hash was stored.
    const secret =
      intentId === null ? randomBytes(32).toString('base64url') : keyedHash('calendar feed secret', intentId)
    const feed = { calendarFeedId, practiceId, providerId, label, secretHash: hash(secret), createdBy }
    await bus.execute(calendarFeedDecider, calendarFeedId, { type: 'Create', feed }, commandContext)
    const row = (await findCalendarFeeds(db, practiceId, clock())).find(({ id }) => id === calendarFeedId)
    const createdAt = clock().toISOString()
    const expiresAt = computeExpiry(createdAt)
    const decided = { id: calendarFeedId, providerId, label, createdAt, expiresAt, createdBy: null, ended: null }
    return { ...(row ?? decided), path: calendarFeed.path.replace(':secret', secret) }
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

  serve(router, calendarFeed, async ({ params: { secret } }, { setHeader }) => {
    const feed = await findFeedBySecret(db, hash(secret), clock())
    if (!feed) throw notFound('calendar')
    const ended = await endFeedsWithoutRight(services, [feed]).catch((error: unknown) => {
      throw error instanceof ReadModelsBehind ? notReady() : error
    })
    if (ended.size > 0) throw notFound('calendar')
    const providerName = await findProviderName(db, feed.providerId)
    // Providers are never removed.
    if (providerName === null) throw notReady()
    const now = clock().getTime()
    const toIso = (time: number) => new Date(time).toISOString()
    const [from, until] = [toIso(now - 31 * dayMs), toIso(now + 366 * dayMs)]
    const appointments = await findFeedAppointments(db, feed, feed.providerId, from, until)
    setHeader('Cache-Control', 'private, max-age=300')
    return renderCalendar(providerName, appointments)
  })

  return router
}

/** Calendar programs drop an address that returns 404, and retry one that is temporarily unavailable. */
const notReady = () =>
  new ProblemError(503, 'not-ready', 'This calendar is being prepared. Please try again in a minute.', {
    headers: { 'Retry-After': '60' },
  })
