import { makeStyles, Text, tokens } from '@fluentui/react-components'
import {
  ArrowUploadRegular,
  BuildingMultipleRegular,
  type FluentIcon,
  HourglassRegular,
  PeopleRegular,
} from '@fluentui/react-icons'
import { useCurrentUser } from '#web/app/current-user.ts'
import { LinkButton } from '#web/app/link-button.tsx'
import { Notice } from '#web/app/notice.tsx'
import { Page } from '#web/app/page.tsx'

const useStyles = makeStyles({
  cards: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 320px), 1fr))',
    columnGap: '16px',
    rowGap: '16px',
  },
  card: {
    display: 'grid',
    gridTemplateRows: 'auto auto 1fr auto',
    justifyItems: 'start',
    rowGap: '8px',
    padding: '20px',
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
  icon: { fontSize: '24px', color: tokens.colorBrandForeground1 },
  title: { margin: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  text: { color: tokens.colorNeutralForeground2 },
})

type Way = {
  icon: FluentIcon
  title: string
  text: string
  to: '/patients' | '/patients/import' | '/onboarding'
  action: string
}

const ready: readonly Way[] = [
  {
    icon: PeopleRegular,
    title: 'Patients',
    text: 'Find anybody by name, phone or date of birth, even when it is misspelt.',
    to: '/patients',
    action: 'Open patients',
  },
  {
    icon: ArrowUploadRegular,
    title: 'Bring your patients over',
    text: 'From a spreadsheet or the export of your old system. You see every row before it is added.',
    to: '/patients/import',
    action: 'Import patients',
  },
]

const first: readonly Way[] = [
  {
    icon: BuildingMultipleRegular,
    title: 'Set up your practice',
    text: 'Name, address and specialties. It takes about three minutes, then you can add patients.',
    to: '/onboarding',
    action: 'Set up your practice',
  },
]

/** The dashboard's place: what works today, one click away, until the dashboard itself is there. */
export function StartScreen() {
  const styles = useStyles()
  const user = useCurrentUser()
  const settled = user?.practiceId != null
  return (
    <Page title="Dashboard Overview" subtitle={`Welcome back, ${user?.firstName ?? ''}`}>
      <Notice tone="plain" icon={HourglassRegular} title="The dashboard is coming in the next version">
        <Text>
          Today's schedule, figures and insights will be here.{' '}
          {settled ? 'Your patients are ready now.' : 'Your practice comes first.'}
        </Text>
      </Notice>
      <div className={styles.cards}>
        {(settled ? ready : first).map(({ icon: Icon, title, text, to, action }) => (
          <section key={to} className={styles.card} aria-label={title}>
            <Icon className={styles.icon} aria-hidden />
            <h2 className={styles.title}>{title}</h2>
            <Text className={styles.text}>{text}</Text>
            <LinkButton to={to}>{action}</LinkButton>
          </section>
        ))}
      </div>
    </Page>
  )
}
