import { PracticeDetailsSection } from './practice-details-section.tsx'
import { SettingsColumn, SettingsGrid } from './settings-grid.tsx'

/** The tab "Practice". Each section stands on its own: it loads, fails, refuses and saves by itself. */
export function PracticeTab({ practiceId }: { practiceId: string }) {
  return (
    <SettingsGrid>
      <SettingsColumn>
        <PracticeDetailsSection practiceId={practiceId} />
      </SettingsColumn>
    </SettingsGrid>
  )
}
