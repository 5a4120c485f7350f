import { useQuery } from '@tanstack/react-query'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { SettingsColumn, SettingsGrid } from '../sections/settings-grid.tsx'
import { UnsavedChangesGuard } from '../sections/unsaved-changes.tsx'
import { EmailSection } from './email-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { RequireTwoFactorSection } from './require-two-factor-section.tsx'
import { SafeguardsSection } from './safeguards-section.tsx'
import { SessionTimeoutSection } from './session-timeout-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'

/** Tab "Security": the second factor, passkeys, sessions, password and e-mail of the signed-in user, and what the practice requires. */
export function SecurityTab({ practiceId }: { practiceId: string }) {
  const { data: practice } = useQuery(practiceQuery(practiceId))
  const user = useCurrentUser()
  // A passkey is as good as the app.
  const isAppRequired = (practice?.requireTwoFactor ?? false) && !user?.hasPasskey
  return (
    <UnsavedChangesGuard>
      <SettingsGrid>
        <SettingsColumn>
          <TwoFactorSection isRequired={isAppRequired} />
          <PasskeysSection />
          <SessionsSection />
          <EmailSection />
        </SettingsColumn>
        <SettingsColumn>
          <SafeguardsSection />
          <SessionTimeoutSection practiceId={practiceId} />
          <RequireTwoFactorSection practiceId={practiceId} />
          <PasswordSection />
        </SettingsColumn>
      </SettingsGrid>
    </UnsavedChangesGuard>
  )
}

/** The same for a user without a practice. */
export function PersonalSecurityTab() {
  return (
    <UnsavedChangesGuard>
      <SettingsGrid>
        <SettingsColumn>
          <TwoFactorSection isRequired={false} />
          <PasskeysSection />
          <SessionsSection />
        </SettingsColumn>
        <SettingsColumn>
          <EmailSection />
          <PasswordSection />
        </SettingsColumn>
      </SettingsGrid>
    </UnsavedChangesGuard>
  )
}
