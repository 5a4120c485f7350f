import { type FocusEvent, type KeyboardEvent, useCallback, useRef, useState } from 'react'

const nextIndexByKey: Record<string, (index: number, last: number) => number> = {
  ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

/** Focuses the first row of the table on screen, or the name in its first card where there is no room for a table. */
export const focusFirstRow = (): void => document.querySelector<HTMLElement>('[data-row], [data-card] a')?.focus()

/** Moves the focus from card to card with the arrow keys, as in the table that wider windows show. */
export function moveBetweenCards(event: KeyboardEvent<HTMLElement>): void {
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-card]')]
  const index = cards.findIndex((card) => card.contains(event.target as Node))
  const isFromName = event.target instanceof HTMLAnchorElement
  if (!isFromName || index < 0 || event.ctrlKey || event.metaKey || event.altKey) return
  const next = nextIndexByKey[event.key]?.(index, cards.length - 1)
  if (next === undefined) return
  event.preventDefault()
  cards[next]?.querySelector('a')?.focus()
}

/** The functions of a row that its keys call besides moving; undefined for a row that cannot be opened or deleted. */
type RowKeys = { onOpen?: (() => void) | undefined; onDelete?: (() => void) | undefined }

/**
 * Keyboard navigation for table rows: the list is one tab stop, arrow keys move between rows, Enter opens one, Delete deletes
 * it. Only the buttons of the active row are in the tab order. The handlers stay the same, so that rows that do not change are not
 * rendered again, wherever they move.
 */
export function useRowNavigation<Element extends HTMLElement>(count: number) {
  const body = useRef<Element>(null)
  const [lastActive, setActive] = useState(0)
  const active = Math.min(lastActive, Math.max(0, count - 1))
  const findRows = useCallback(() => [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])], [])
  const onFocus = useCallback(
    ({ currentTarget }: FocusEvent<HTMLElement>) => setActive(Math.max(0, findRows().indexOf(currentTarget))),
    [findRows],
  )
  const onKeyDown = useCallback(
    (event: KeyboardEvent<HTMLElement>, { onOpen, onDelete }: RowKeys): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
      const rows = findRows()
      const next = nextIndexByKey[event.key]?.(rows.indexOf(event.currentTarget), rows.length - 1)
      if (next !== undefined) {
        event.preventDefault()
        rows[next]?.focus()
      } else if (event.key === 'Enter' && onOpen) {
        event.preventDefault()
        onOpen()
      } else if (event.key === 'Delete' && onDelete) {
        event.preventDefault()
        onDelete()
      }
    },
    [findRows],
  )
  return { body, active, onFocus, onKeyDown }
}
