import { Router } from '@koa/router'
import {
  changeNotificationPreferences,
  encodeCursor,
  getNotificationPreferences,
  listNotifications,
  type NotificationChoices,
  notificationPageSize,
  readNotifications,
} from '#contracts/notifications.ts'
import { isConflict } from '#eventstore/command-errors.ts'
import { notFound } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { throwFieldConflict } from '#modules/kit/field-conflict.ts'
import type { Services } from '#modules/module.ts'
import { type Choices, getReadStreamId, preferenceDecider, readDecider } from './decider.ts'
import { toNotifications } from './notification-reply.ts'
import { countUnread, findByIds, findPage, findUnreadUpTo, type Visibility } from './queries.ts'
import { loadReaderView } from './visibility.ts'

/** Serves a person's notifications, and the preferences that select them. */
export function notificationRoutes(services: Services): Router {
  const { bus, db, clock, mail } = services
  const router = new Router()

  const countAllUnread = async (visible: Visibility) =>
    (await countUnread(db, visible)).reduce((sum, { unread }) => sum + unread, 0)

  const toReply = ({ state: choices, revision }: { state: Choices; revision: bigint | 'no-stream' }) => ({
    choices: { ...choices },
    revision: revision === 'no-stream' ? null : Number(revision),
    delivery: mail.kind === 'smtp' ? ('mail' as const) : ('outbox' as const),
  })

  serve(router, listNotifications, async ({ caller, query: { before } }) => {
    const view = await loadReaderView(services, caller)
    // One after the other, so that the first page lists what is counted, also when one comes in between.
    const unread = await countAllUnread(view.visible)
    const rows = await findPage(db, view.visible, before)
    const page = rows.slice(0, notificationPageSize)
    const last = rows.length > page.length ? page.at(-1) : undefined
    return {
      items: await toNotifications(services, caller, view, page),
      unread,
      next: last ? encodeCursor(last) : null,
    }
  })

  serve(router, readNotifications, async ({ caller, body: { ids, upTo } }, { commandContext }) => {
    const { userId, practiceId } = caller
    const { visible } = await loadReaderView(services, caller)
    const found = await findByIds(db, visible, ids ?? (upTo === undefined ? [] : [upTo]))
    const [first] = found
    if (!first) throw notFound('notification')
    const selected = upTo === undefined ? found : await findUnreadUpTo(db, visible, first)
    const unread = selected.flatMap(({ id, isRead }) => (isRead ? [] : id))
    const command = { type: 'MarkRead', userId, practiceId, notificationIds: unread } as const
    await bus.execute(readDecider, getReadStreamId(userId, clock()), command, commandContext)
    return { unread: await countAllUnread(visible) }
  })

  serve(router, getNotificationPreferences, async ({ caller }) =>
    toReply(await bus.load(preferenceDecider, caller.userId)),
  )

  serve(router, changeNotificationPreferences, async ({ caller, body }, { commandContext }) => {
    const { userId, practiceId } = caller
    // A revision of null means the default choices: the stream must not exist yet.
    const options = body.revision === undefined ? {} : { expectedRevision: BigInt(body.revision ?? -1) }
    const command = {
      type: 'ChangePreferences',
      userId,
      practiceId,
      choices: body.choices as Partial<Choices>,
    } as const
    try {
      return toReply(await bus.execute(preferenceDecider, userId, command, commandContext, options))
    } catch (error) {
      if (!isConflict(error, preferenceDecider)) throw error
      return await throwFieldConflict(db, {
        since: error.conflictingEvents,
        changedFields: ({ data }) => Object.keys(data.to) as (keyof NotificationChoices)[],
        now: error.state,
        message: 'Your choices were changed in another window',
      })
    }
  })

  return router
}
