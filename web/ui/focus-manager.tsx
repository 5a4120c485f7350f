import { useFocusFinders } from '@fluentui/react-components'
import { useEffect } from 'react'
import { keepMounted } from './kept.tsx'
import { useFocusReturn } from './use-focus-return.ts'

/** Uses Fluent's focus manager, and finds nothing by it. */
function FocusManager(): null {
  useFocusFinders()
  return null
}

/**
 * Restores the focus when a dialog that is mounted while open unmounts, and keeps Fluent's focus manager on the page. That ends with the
 * last component that uses it: if this were the dialog, the page would stay hidden from screen readers, as it was behind it.
 */
export function useModalFocus(): void {
  useFocusReturn()
  useEffect(() => keepMounted(FocusManager), [])
}

/** Does the same for a drawer or a popover: rendered inside it, because it mounts its content only while it is open. */
export function ModalFocus(): null {
  useModalFocus()
  return null
}
