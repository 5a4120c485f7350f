import { Button, Text } from '@fluentui/react-components'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { NotificationPopover } from '#web/entities/notifications/notification-popover.tsx'
import { useLinkStyles } from '#web/ui/link-styles.ts'
import { notificationsQuery, useKeepFirstPage, useReadNotifications } from './api.ts'
import { NotificationList } from './notification-list.tsx'

/** Bell of a practice. Opening it marks what it shows as read; the dots of new ones stay until it is closed. */
export function NotificationBell() {
  const styles = useLinkStyles()
  const [isOpen, setIsOpen] = useState(false)
  const query = useInfiniteQuery(notificationsQuery)
  const read = useReadNotifications()
  // Separate, because the button must work while those that are shown are being marked.
  const readAll = useReadNotifications()
  const first = query.data?.pages[0]
  const unread = first?.unread ?? 0
  const newest = first?.items[0]
  const keepFirstPage = useKeepFirstPage()
  const changeOpen = (willOpen: boolean) => {
    setIsOpen(willOpen)
    if (!willOpen) return void keepFirstPage()
    // Without any event, some are no longer shown: a free slot after its start, for example.
    if (query.data) void query.refetch()
  }
  const close = () => changeOpen(false)
  return (
    <NotificationPopover
      count={unread}
      isOpen={isOpen}
      onOpenChange={changeOpen}
      action={
        newest && (
          <Button
            size="small"
            appearance="subtle"
            disabledFocusable={unread === 0 || readAll.isPending}
            onClick={() => {
              if (unread > 0 && !readAll.isPending) readAll.mutate({ upTo: newest.id })
            }}
          >
            Mark all as read
          </Button>
        )
      }
      footer={
        <Text size={200}>
          <Link className={styles.link} to="/practice" search={{ tab: 'notifications' }} onClick={close}>
            Choose your notifications
          </Link>
        </Text>
      }
    >
      <NotificationList query={query} onRead={(ids) => read.mutate({ ids })} onLeave={close} />
    </NotificationPopover>
  )
}
