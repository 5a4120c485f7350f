import { randomBytes } from 'node:crypto'
import { Router } from '@koa/router'
import { calendarFeed, createCalendarFeed, listCalendarFeeds, revokeCalendarFeed } from '#contracts/calendar-feeds.ts'
import { CalendarFeedId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-bus.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { type SchedulingContext, notFound } from '#modules/appointments/scheduling-context.ts'
import { renderCalendar } from './ical.ts'
import { calendarFeedDecider } from './decider.ts'
import { findFeedBySecret, findFeeds, findFeedAppointments } from './queries.ts'

const day = 24 * 3_600_000

/** Private addresses for calendar programs, and what those read there. */
export function calendarRoutes({ bus, db, clock, newId, keyedHash }: Services, desk: SchedulingContext): Router {
  const router = new Router()
  const hashOf = (secret: string) => keyedHash('calendar feed', secret)

  serve(router, listCalendarFeeds, ({ caller }) => findFeeds(db, caller.practiceId))

  serve(router, createCalendarFeed, async ({ caller, body: { providerId, label } }, { commandContext: context }) => {
    const { practiceId, userId: createdBy } = caller
    await desk.provider(caller, providerId)
    const calendarFeedId = CalendarFeedId.parse(newId())
    const secret = randomBytes(32).toString('base64url')
    const feed = { calendarFeedId, practiceId, providerId, label, secretHash: hashOf(secret), createdBy }
    await bus.execute(calendarFeedDecider, calendarFeedId, { type: 'Create', feed }, context)
    const row = (await findFeeds(db, practiceId)).find(({ id }) => id === calendarFeedId)
    const known = row ?? { id: calendarFeedId, providerId, label, createdAt: clock().toISOString(), createdBy: null }
    return { ...known, path: `${calendarFeed.path}?token=${secret}` }
  })

  serve(
    router,
    revokeCalendarFeed,
    async ({ caller: { practiceId }, params: { calendarFeedId } }, { commandContext: context }) => {
      const command = { type: 'Revoke', practiceId } as const
      await bus.execute(calendarFeedDecider, calendarFeedId, command, context).catch((error: unknown) => {
        throw error instanceof CommandRejected ? notFound('calendar address') : error
      })
      return null
    },
  )

  serve(router, calendarFeed, async ({ query: { token } }, { setHeader: header }) => {
    const feed = token === '' ? null : await findFeedBySecret(db, hashOf(token))
    if (!feed) throw notFound('calendar')
    const now = clock().getTime()
    const iso = (time: number) => new Date(time).toISOString()
    const appointments = await findFeedAppointments(db, feed.providerId, iso(now - 31 * day), iso(now + 366 * day))
    header('Content-Type', 'text/calendar; charset=utf-8')
    header('Cache-Control', 'private, max-age=300')
    return renderCalendar(feed.providerName, appointments)
  })

  return router
}
