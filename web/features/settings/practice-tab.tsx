import { CalendarFeedsSection } from './calendar-feeds-section.tsx'
import { FeesSection } from './fees-section.tsx'
import { PracticeDetailsSection } from './practice-details-section.tsx'
import { ProvidersSection } from './providers-section.tsx'
import { SampleDataSection } from './sample-data-section.tsx'
import { SettingsColumn, SettingsGrid } from './settings-grid.tsx'
import { AsksBeforeLeaving } from './unsaved.tsx'

/** The tab "Practice". Each section stands on its own: it loads, fails, refuses and saves by itself. */
export function PracticeTab({ practiceId }: { practiceId: string }) {
  return (
    <AsksBeforeLeaving>
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
    </AsksBeforeLeaving>
  )
}
