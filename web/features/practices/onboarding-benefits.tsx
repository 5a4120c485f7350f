import { makeStyles, tokens } from '@fluentui/react-components'
import { CalendarLtr24Regular } from '@fluentui/react-icons/svg/calendar-ltr'
import { ClipboardTextLtr24Regular } from '@fluentui/react-icons/svg/clipboard-text-ltr'
import { Lightbulb24Regular } from '@fluentui/react-icons/svg/lightbulb'
import { ShieldCheckmark24Regular } from '@fluentui/react-icons/svg/shield-checkmark'
import type { FluentIcon } from '@fluentui/react-icons'
import { TwoLineCell } from '#web/ui/text.tsx'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '12px',
    rowGap: '12px',
    [narrow]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  item: {
    display: 'grid',
    gridTemplateColumns: '24px minmax(0, 1fr)',
    columnGap: '12px',
    alignItems: 'center',
    padding: '16px',
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
  icon: { color: tokens.colorBrandForeground1 },
})

const benefits: [FluentIcon, string, string][] = [
  [Lightbulb24Regular, 'AI-powered patient insights', 'Each with its source records'],
  [CalendarLtr24Regular, 'Automated appointment scheduling', 'Reminders, replies and open slots'],
  [ClipboardTextLtr24Regular, 'Smart form processing', 'Reviewed before the patient is seen'],
  [ShieldCheckmark24Regular, 'Insurance verification', 'Before the appointment, not after'],
]

export function OnboardingBenefits() {
  const styles = useStyles()
  return (
    <ul className={styles.list}>
      {benefits.map(([Icon, title, detail]) => (
        <li key={title} className={styles.item}>
          <Icon className={styles.icon} aria-hidden />
          <TwoLineCell top={title} bottom={detail} strong wrap />
        </li>
      ))}
    </ul>
  )
}
