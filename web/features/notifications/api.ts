import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listNotifications, readNotifications } from '#contracts/notifications.ts'
import type { Reply, RequestInput } from '#contracts/endpoint.ts'
import { call } from '#web/api/call.ts'
import { notificationKeys } from '#web/entities/notifications/notification-keys.ts'

type NotificationPage = Reply<typeof listNotifications>

/** Query for the notifications of the current user, page by page, newest first. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: notificationKeys.list,
  queryFn: ({ pageParam, signal }) =>
    call(listNotifications, { query: pageParam === null ? {} : { before: pageParam } }, signal),
  initialPageParam: null as string | null,
  // Some are shown until a time, such as the start of a free slot.
  staleTime: 60_000,
  getNextPageParam: ({ next }: NotificationPage) => next,
})

/** Returns a function that drops all cached pages but the first, so that live updates refetch only that. */
export function useKeepFirstPage(): () => Promise<void> {
  const queries = useQueryClient()
  const { queryKey } = notificationsQuery
  return async () => {
    const isUpdating = queries.isFetching({ queryKey }) > 0
    // An update that is running would bring the others back.
    await queries.cancelQueries({ queryKey })
    queries.setQueryData(
      queryKey,
      (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    )
    if (isUpdating) await queries.invalidateQueries({ queryKey })
  }
}

/**
 * Returns the mutation that marks notifications as read; the list shows it at once. Those of a window are sent one after the
 * other, so that the reply to an earlier one does not replace the count of a later one.
 */
export function useReadNotifications() {
  const queries = useQueryClient()
  return useMutation({
    scope: { id: 'read-notifications' },
    mutationFn: (body: RequestInput<typeof readNotifications>['body']) => call(readNotifications, { body }),
    onSuccess: ({ unread }, { ids }) => {
      const isRead = (id: string) => ids === undefined || ids.includes(id)
      queries.setQueryData(
        notificationsQuery.queryKey,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              unread,
              items: page.items.map((item) => (isRead(item.id) ? { ...item, isRead: true } : item)),
            })),
          },
      )
    },
    // One of them no longer exists, for example because its invoice was paid.
    onError: () => void queries.invalidateQueries({ queryKey: notificationsQuery.queryKey }),
  })
}
