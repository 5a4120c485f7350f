import { type SyntheticEvent, useRef } from 'react'

/**
 * Sends a form once, however often Enter is pressed: until the first sending has ended, the others are not heard. A
 * button that looks disabled is not enough, because the second press can come before it is drawn.
 */
export function useSubmitOnce(send: (event: SyntheticEvent) => void | Promise<void>): (event: SyntheticEvent) => void {
  const sending = useRef(false)
  return (event) => {
    event.preventDefault()
    if (sending.current) return
    sending.current = true
    void Promise.resolve(send(event)).finally(() => {
      sending.current = false
    })
  }
}
