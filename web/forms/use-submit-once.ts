import { type SyntheticEvent, useRef } from 'react'

/**
 * Submits a form once however often Enter is pressed: further submissions are ignored until the first has finished. A
 * disabled button is not enough, as a second key press can arrive before it is rendered.
 */
export function useSubmitOnce(
  submit: (event: SyntheticEvent) => void | Promise<void>,
): (event: SyntheticEvent) => void {
  const isSubmitting = useRef(false)
  return (event) => {
    event.preventDefault()
    if (isSubmitting.current) return
    isSubmitting.current = true
    void Promise.resolve(submit(event)).finally(() => {
      isSubmitting.current = false
    })
  }
}
