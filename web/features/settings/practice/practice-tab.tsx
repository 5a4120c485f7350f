import { CalendarFeedsSection } from '../calendar-feeds/calendar-feeds-section.tsx'
import { FeesSection } from './fees-section.tsx'
import { PracticeDetailsSection } from './practice-details-section.tsx'
import { ProvidersSection } from './providers-section.tsx'
import { SampleDataSection } from '../sample-data/sample-data-section.tsx'
import { SettingsColumn, SettingsGrid } from '../sections/settings-grid.tsx'
import { UnsavedChangesGuard } from '../sections/unsaved-changes.tsx'

/** Tab "Practice". Each section is a panel that loads, reports errors and saves independently. */
export function PracticeTab({ practiceId }: { practiceId: string }) {
  return (
    <UnsavedChangesGuard>
      <SettingsGrid>
        <SettingsColumn>
          <PracticeDetailsSection practiceId={practiceId} />
          <ProvidersSection practiceId={practiceId} />
        </SettingsColumn>
        <SettingsColumn>
          <FeesSection />
          <CalendarFeedsSection />
          <SampleDataSection />
        </SettingsColumn>
      </SettingsGrid>
    </UnsavedChangesGuard>
  )
}
