import { Text } from '@fluentui/react-components'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { AccountNeededContext } from './account-needed-context.ts'

/** Explains to visitors of the public demo which actions need an account, and leads to the registration. */
export function AccountNeededProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const [action, setAction] = useState<string | null>(null)
  return (
    <AccountNeededContext value={setAction}>
      {children}
      <ConfirmDialog
        open={action !== null}
        title="Create a free account first"
        action="Create Free Account"
        cancel="Continue Demo"
        onConfirm={() => void navigate({ to: '/auth', search: { tab: 'register' } })}
        onCancel={() => setAction(null)}
      >
        <Text>
          &ldquo;{action}&rdquo; needs an account. It is free, takes a minute and starts with sample data to try it on.
        </Text>
      </ConfirmDialog>
    </AccountNeededContext>
  )
}
