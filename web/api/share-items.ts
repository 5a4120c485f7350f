import { replaceEqualDeep } from '@tanstack/react-query'

type Page = { items: readonly { id: string }[] }

/**
 * Keeps the objects of those items of a fetched page that have not changed, found by their ids: TanStack Query compares them by their
 * places, which a row that is added at the beginning moves. Rows of the same object are not rendered again. Returns the same page when
 * nothing has changed: otherwise a query that shows its previous page would be rendered without end.
 */
export function shareItems(before: unknown, after: unknown): unknown {
  if (before === undefined || before === after) return after
  const [old, page] = [before as Page, after as Page]
  const known = new Map(old.items.map((item) => [item.id, item]))
  const items = page.items.map((item) => replaceEqualDeep(known.get(item.id), item))
  const isSame = items.length === old.items.length && items.every((item, index) => item === old.items[index])
  return isSame ? replaceEqualDeep(old, page) : { ...page, items }
}
