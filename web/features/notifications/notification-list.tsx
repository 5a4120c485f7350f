import { Button, makeStyles, mergeClasses, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components'
import { AlertRegular } from '@fluentui/react-icons/svg/alert'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Notification } from '#contracts/notifications.ts'
import { maxReadIds } from '#contracts/notifications.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { formatTimeAgo } from '#web/ui/dates.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { StateFrame } from '#web/ui/state-frame.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { keepFocusBeside } from '#web/ui/use-focus-return.ts'
import { useFollowLink } from '#web/ui/use-follow-link.ts'
import { useNow } from '#web/ui/use-now.ts'
import { describeNotification } from './describe-notification.ts'

const useStyles = makeStyles({
  group: {
    margin: 0,
    padding: '8px 8px 4px',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightMedium,
    lineHeight: tokens.lineHeightBase200,
  },
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  item: {
    position: 'relative',
    display: 'grid',
    gridTemplateColumns: '20px minmax(0, 1fr) auto',
    columnGap: '12px',
    padding: '8px 8px 8px 16px',
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForeground1,
    textDecorationLine: 'none',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
  dot: {
    position: 'absolute',
    left: '2px',
    top: '14px',
    width: '8px',
    height: '8px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorBrandStroke1,
  },
  icon: { color: tokens.colorNeutralForeground3, paddingTop: '1px', fontSize: '20px' },
  danger: { color: tokens.colorStatusDangerForeground1 },
  warning: { color: tokens.colorStatusWarningForeground1 },
  time: { whiteSpace: 'nowrap' },
  more: { display: 'flex', justifyContent: 'center', paddingTop: '8px' },
  loading: { display: 'grid', rowGap: '12px', padding: '8px' },
  line: { height: '40px' },
  state: { padding: '20px 8px 24px' },
})

/** Interval at which the times are updated. */
const refreshIntervalMs = 30_000

type NotificationListProps = {
  query: Pick<
    UseInfiniteQueryResult<{ pages: readonly { items: readonly Notification[] }[] }>,
    'data' | 'error' | 'refetch' | 'hasNextPage' | 'isFetching' | 'fetchNextPage' | 'isFetchNextPageError'
  >
  /** Marks notifications as read. */
  onRead: (ids: string[]) => void
  /** Called when a notification is followed. */
  onLeave: () => void
}

/** Notifications, new ones first. Those that are shown are marked as read, and keep their dots until the list is closed. */
export function NotificationList({ query, onRead, onLeave }: NotificationListProps) {
  const styles = useStyles()
  const now = useNow(refreshIntervalMs)
  const items = query.data?.pages.flatMap((page) => page.items)
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const unread = (items ?? []).flatMap(({ id, isRead }) => (isRead ? [] : id)).slice(0, maxReadIds)
  const unreadKey = unread.join(' ')
  useEffect(() => {
    // A list that is being fetched would come back without the marks.
    if (unread.length === 0 || query.isFetching) return
    setSeen((before) => new Set([...before, ...unread]))
    onRead(unread)
    // Once for each set of notifications that is shown; an attempt that fails is not repeated.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [unreadKey, query.isFetching])

  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query
  const pageCount = query.data?.pages.length ?? 0
  const [requestedPages, setRequestedPages] = useState(1)
  const isLoadingMore = pageCount < requestedPages && hasNextPage && !isFetchNextPageError
  useEffect(() => {
    // Not while another update of the list is running: one would cancel the other.
    if (isLoadingMore && !isFetching) void fetchNextPage()
  }, [isLoadingMore, isFetching, fetchNextPage])

  if (!items) {
    if (query.error)
      return (
        <div className={styles.state}>
          <ErrorState
            isCompact
            title="Notifications could not be loaded"
            hint={query.error instanceof ApiProblem ? query.error.detail : errorMessage(query.error)}
            onRetry={() => {
              if (document.activeElement instanceof HTMLElement) keepFocusBeside(document.activeElement)
              void query.refetch()
            }}
          />
        </div>
      )
    return (
      <Skeleton aria-label="Loading notifications" className={styles.loading}>
        {[0, 1, 2, 3].map((line) => (
          <SkeletonItem key={line} className={styles.line} />
        ))}
      </Skeleton>
    )
  }
  if (items.length === 0)
    return (
      <div className={styles.state}>
        <StateFrame
          role="status"
          isCompact
          icon={<AlertRegular aria-hidden />}
          title="You are all caught up"
          hint="Anything that needs your attention appears here."
        />
      </div>
    )
  const isNew = ({ id, isRead }: Notification) => !isRead || seen.has(id)
  const groups = [
    { name: 'New', list: items.filter(isNew) },
    { name: 'Earlier', list: items.filter((item) => !isNew(item)) },
  ].filter(({ list }) => list.length > 0)
  return (
    <>
      {groups.map(({ name, list }) => (
        <section key={name} aria-label={name}>
          <h3 className={styles.group}>{name}</h3>
          <ul className={styles.list}>
            {list.map((item) => (
              <NotificationItem key={item.id} notification={item} isNew={name === 'New'} now={now} onLeave={onLeave} />
            ))}
          </ul>
        </section>
      ))}
      {hasNextPage && (
        <div className={styles.more}>
          <Button
            size="small"
            appearance="subtle"
            disabledFocusable={isLoadingMore}
            onClick={({ currentTarget }) => {
              keepFocusBeside(currentTarget)
              setRequestedPages(pageCount + 1)
              if (isFetchNextPageError) void fetchNextPage()
            }}
          >
            {isLoadingMore ? 'Loading...' : isFetchNextPageError ? 'Could not load more. Try again' : 'Show older'}
          </Button>
        </div>
      )}
    </>
  )
}

type NotificationItemProps = { notification: Notification; isNew: boolean; now: Date; onLeave: () => void }

/** Link to the record of a notification. */
function NotificationItem({ notification, isNew, now, onLeave }: NotificationItemProps) {
  const styles = useStyles()
  const follow = useFollowLink()
  const hasLapsed = useCurrentUser()?.hasLapsed ?? false
  const { icon: Icon, tone, title, detail, href } = describeNotification(notification, hasLapsed)
  return (
    <li>
      <a
        href={href}
        className={styles.item}
        onClick={(event) => {
          if (follow(event, href)) onLeave()
        }}
      >
        {isNew && <span className={styles.dot} role="img" aria-label="New" />}
        <Icon className={mergeClasses(styles.icon, tone && styles[tone])} aria-hidden />
        <TwoLineCell top={title} bottom={detail} strong={isNew} wrap />
        <SecondaryText className={styles.time}>{formatTimeAgo(notification.at, now)}</SecondaryText>
      </a>
    </li>
  )
}
