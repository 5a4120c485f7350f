import { useEffect, useState } from 'react'

/** Returns the focused element; for a menu item, which is about to disappear, the button that opened the menu. */
function findReturnTarget(): Element | null {
  const menu = document.activeElement?.closest('[role=menu]')
  const opener = menu?.getAttribute('aria-labelledby')
  return opener ? document.getElementById(opener) : document.activeElement
}

/**
 * Restores the focus when a component that is mounted while open unmounts: to the element that had it before, or to the
 * content of the screen if that element is gone. Does nothing if something else has taken the focus.
 */
export function useFocusReturn(): void {
  const [origin] = useState(findReturnTarget)
  useEffect(
    () => () => {
      setTimeout(() => {
        // Another dialog may still be open below this one; the focus must not move behind it.
        const inDialog = (element: Element | null) => Boolean(element?.closest('[role=dialog], [role=alertdialog]'))
        const active = document.activeElement
        const isBehindDialog = origin?.isConnected && inDialog(origin) && !inDialog(active)
        // Fluent restores the focus to the last menu button that had it, which is rarely the right element.
        const isRestoredByFluent =
          active !== origin && !inDialog(active) && active?.getAttribute('data-tabster')?.includes('"restorer"')
        const isMisplaced = isBehindDialog || isRestoredByFluent
        if (!isMisplaced && active && active !== document.body) return
        const target = origin?.isConnected && origin !== document.body ? origin : document.getElementById('content')
        if (target instanceof HTMLElement) target.focus({ preventScroll: true })
      })
    },
    [origin],
  )
}

/** Restores the focus when a drawer closes: rendered inside it, because a drawer mounts its content only while it is open. */
export function FocusReturn(): null {
  useFocusReturn()
  return null
}
