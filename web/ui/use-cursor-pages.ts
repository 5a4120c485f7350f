import { useRef } from 'react'

/** The place of a page in a list that is paged by cursors; omitted on the first page. */
type Place = { page?: number; cursor?: string }

/**
 * Returns the function that opens a page. The cursors of the pages that were left are kept; the address holds that of the present
 * page only, so that after a reload the page before it is the first one.
 */
export function useCursorPages(
  filters: object,
  { page: current = 1, cursor: currentCursor }: Place,
  next: string | null | undefined,
  open: (place: Place) => void,
): (page: number) => void {
  const cursors = useRef(new Map<string, string>())
  const toKey = (page: number) => JSON.stringify([filters, page])
  return (page) => {
    if (currentCursor) cursors.current.set(toKey(current), currentCursor)
    const cursor = page > current ? parseNextCursor(next ?? null) : cursors.current.get(toKey(page))
    open(cursor ? { page, cursor } : {})
  }
}

/** Returns the cursor in the address of the next page, which the server sends in the `Link` header; null on the last page. */
export function parseNextCursor(next: string | null): string | null {
  if (next === null) return null
  return new URL(next, 'http://localhost').searchParams.get('cursor')
}
