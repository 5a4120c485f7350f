import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'

/**
 * Returns a function that opens an address of the app on a click. Returns false, and leaves the click to the browser, when it
 * opens a new tab or window.
 */
export function useFollowLink(): (event: MouseEvent, to: string) => boolean {
  const { history } = useRouter()
  return (event, to) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return false
    event.preventDefault()
    history.push(to)
    return true
  }
}
