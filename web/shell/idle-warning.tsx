import { Button, Text } from '@fluentui/react-components'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { formatCountdown } from './idle-state.ts'

type IdleWarningProps = { secondsLeft: number; onStay: () => void; onSignOut: () => void }

/** Asks whether the user is still there before signing out. Escape and the first button stay. */
export function IdleWarning({ secondsLeft, onStay, onSignOut }: IdleWarningProps) {
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
        You will be signed out in <span role="timer">{formatCountdown(secondsLeft)}</span>, because Everchart was not
        used in this browser for a while. What you have not saved will be lost.
      </Text>
    </DialogFrame>
  )
}
