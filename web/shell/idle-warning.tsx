import { Button, Text } from '@fluentui/react-components'
import { useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { formatCountdown } from './idle-state.ts'

type IdleWarningProps = { secondsLeft: number; onStay: () => void; onSignOut: () => void }

const isTextField = (element: Element | null): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

/** Stays when the user types on: the character goes into the field that had the focus before the warning took it. */
function useTypingStays(onStay: () => void): void {
  const [field] = useState(() => document.activeElement)
  const stay = useEffectEvent(onStay)
  useEffect(() => {
    if (!isTextField(field)) return
    const handle = (event: KeyboardEvent) => {
      // The space bar presses a button of the warning.
      const isCharacter = event.key.length === 1 && event.key !== ' '
      if (!event.isTrusted || !isCharacter || event.ctrlKey || event.metaKey || event.altKey || !field.isConnected)
        return
      // Not a shortcut of the page.
      event.stopPropagation()
      flushSync(() => stay())
      // The browser inserts the character into what has the focus after this.
      field.focus()
    }
    addEventListener('keydown', handle, { capture: true })
    return () => removeEventListener('keydown', handle, { capture: true })
  }, [field])
}

/**
 * Asks whether the user is still there before the window is locked. Escape, the first button and typing on in a text field stay.
 */
export function IdleWarning({ secondsLeft, onStay, onSignOut }: IdleWarningProps) {
  useTypingStays(onStay)
  return (
    <DialogFrame
      title="Are you still there?"
      modalType="alert"
      closeLabel="Stay signed in"
      closeAppearance="primary"
      actions={<Button onClick={onSignOut}>Sign out now</Button>}
      onClose={onStay}
    >
      <Text>
        Everchart locks in <span role="timer">{formatCountdown(secondsLeft)}</span>, because it was not used in this
        browser for a while. Your password unlocks it, and what you have not saved is kept.
      </Text>
    </DialogFrame>
  )
}
