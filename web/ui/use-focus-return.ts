import { useEffect, useState } from 'react'

/** Where the focus is; an entry of a menu is gone in a moment, so the button that opened it counts. */
function findReturnTarget(): Element | null {
  const menu = document.activeElement?.closest('[role=menu]')
  const opener = menu?.getAttribute('aria-labelledby')
  return opener ? document.getElementById(opener) : document.activeElement
}

/**
 * For what is mounted while it is open: when it closes and nothing else has taken the focus, it goes back to where it
 * was before, or to the content of the screen when that is gone.
 */
export function useFocusReturn(): void {
  const [from] = useState(findReturnTarget)
  useEffect(
    () => () => {
      setTimeout(() => {
        // Below this one another dialog may be open: behind it is not where the focus belongs.
        const inDialog = (element: Element | null) => Boolean(element?.closest('[role=dialog], [role=alertdialog]'))
        const now = document.activeElement
        const behind = from?.isConnected && inDialog(from) && !inDialog(now)
        // Fluent gives the focus to the menu button somebody came across last, which is seldom where they came from.
        const elsewhere = now !== from && !inDialog(now) && now?.getAttribute('data-tabster')?.includes('"restorer"')
        const astray = behind || elsewhere
        if (!astray && now && now !== document.body) return
        const back = from?.isConnected && from !== document.body ? from : document.getElementById('content')
        if (back instanceof HTMLElement) back.focus({ preventScroll: true })
      })
    },
    [from],
  )
}
