import type { KeyboardEvent } from 'react'

/** Submits the form on Enter in a select, as browsers do in a text input. */
export function submitOnEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.target instanceof HTMLSelectElement) || !event.target.form) return
  event.preventDefault()
  event.target.form.requestSubmit()
}
