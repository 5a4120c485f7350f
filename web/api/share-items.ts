import { replaceEqualDeep } from '@tanstack/react-query'

type Page = { items: readonly { id: string }[] }

/**
 * Keeps the objects of those items of a fetched page that have not changed, found by their ids: TanStack Query compares them by their
 * places, which a row that is added at the beginning moves. Rows of the same object are not rendered again.
 */
export function shareItems(before: unknown, after: unknown): unknown {
  if (before === undefined) return after
  const known = new Map((before as Page).items.map((item) => [item.id, item]))
  const page = after as Page
  return { ...page, items: page.items.map((item) => replaceEqualDeep(known.get(item.id), item)) }
}
