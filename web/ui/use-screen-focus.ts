import { useRouter } from '@tanstack/react-router'
import { useLayoutEffect, useState } from 'react'

/** The heading of the previous frame had the focus when that frame was unmounted. */
let wasHeadingFocused = false

/**
 * Focuses the heading of a screen that is mounted after a navigation, if the focus was on a part of the page that is gone.
 * Does nothing when a page is loaded. The frames of screens call it.
 */
export function useScreenFocus(): void {
  const router = useRouter()
  const [isNavigation] = useState(() => {
    const { location, resolvedLocation } = router.state
    return resolvedLocation !== undefined && resolvedLocation.pathname !== location.pathname
  })
  useLayoutEffect(() => {
    const heading = document.querySelector('h1')
    // A screen can replace its frame when its data is loaded.
    const isDue = isNavigation || wasHeadingFocused
    wasHeadingFocused = false
    if (!heading || !isDue || document.activeElement !== document.body) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    return () => {
      wasHeadingFocused = document.activeElement === heading
    }
  }, [isNavigation])
}
