import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'

const nextIndexByKey: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

type RowNavigationOptions = {
  count: number
  onOpen?: ((index: number) => void) | undefined
  onDelete?: ((index: number) => void) | undefined
}

/**
 * Rows for the keyboard: the list is one stop of the Tab key, arrows walk through it, Enter opens, Delete asks. Only the
 * row one stands on lets Tab into its own buttons.
 */
export function useRowNavigation<Element extends HTMLElement>({ count, onOpen, onDelete }: RowNavigationOptions) {
  const body = useRef<Element>(null)
  const [active, setActive] = useState(0)
  const at = Math.min(active, Math.max(0, count - 1))

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
    active: at,
    rowProps: (index: number) => ({
      'data-row': '',
      tabIndex: index === at ? 0 : -1,
      onFocus: (_event: FocusEvent) => setActive(index),
      onKeyDown: (event: KeyboardEvent) => onKeyDown(event, index),
    }),
  }
}
