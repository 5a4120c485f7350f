import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'

const nextIndexByKey: Record<string, (index: number, last: number) => number> = {
  ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

type RowNavigationOptions = {
  count: number
  onOpen?: ((index: number) => void) | undefined
  onDelete?: ((index: number) => void) | undefined
}

/**
 * Keyboard navigation for table rows: the list is one tab stop, arrow keys move between rows, Enter opens one, Delete deletes
 * it. Only the buttons of the active row are in the tab order.
 */
export function useRowNavigation<Element extends HTMLElement>({ count, onOpen, onDelete }: RowNavigationOptions) {
  const body = useRef<Element>(null)
  const [lastActive, setLastActive] = useState(0)
  const active = Math.min(lastActive, Math.max(0, count - 1))

  function onKeyDown(event: KeyboardEvent, index: number): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const next = nextIndexByKey[event.key]?.(index, count - 1)
    if (next !== undefined) {
      event.preventDefault()
      body.current?.querySelectorAll<HTMLElement>('[data-row]')[next]?.focus()
    } else if (event.key === 'Enter' && onOpen) {
      event.preventDefault()
      onOpen(index)
    } else if (event.key === 'Delete' && onDelete) {
      event.preventDefault()
      onDelete(index)
    }
  }

  return {
    body,
    active,
    rowProps: (index: number) => ({
      'data-row': '',
      tabIndex: index === active ? 0 : -1,
      onFocus: (_event: FocusEvent) => setLastActive(index),
      onKeyDown: (event: KeyboardEvent) => onKeyDown(event, index),
    }),
  }
}
