import { CalendarFeedsSection } from '../calendar-feeds/calendar-feeds-section.tsx'
import { DataExportSection } from '../data-export/data-export-section.tsx'
import { AppointmentTypesSection } from './appointment-types-section.tsx'
import { PracticeDetailsSection } from './practice-details-section.tsx'
import { ProvidersSection } from './providers-section.tsx'
import { SampleDataSection } from '../sample-data/sample-data-section.tsx'
import { SettingsColumn, SettingsGrid } from '../sections/settings-grid.tsx'
import { DaysOffSection, HolidaysSection } from '../working-hours/closures-section.tsx'
import { WorkingHoursSection } from '../working-hours/working-hours-section.tsx'
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
          <AppointmentTypesSection practiceId={practiceId} />
          <CalendarFeedsSection />
        </SettingsColumn>
      </SettingsGrid>
      <SettingsGrid>
        <SettingsColumn>
          <WorkingHoursSection />
        </SettingsColumn>
        <SettingsColumn>
          <HolidaysSection />
          <DaysOffSection />
          <DataExportSection />
          <SampleDataSection />
        </SettingsColumn>
      </SettingsGrid>
    </UnsavedChangesGuard>
  )
}
