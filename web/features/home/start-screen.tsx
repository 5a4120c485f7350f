import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { ArrowUploadRegular, HourglassRegular, PeopleRegular } from '@fluentui/react-icons'
import type { CurrentUser } from '#contracts/accounts.ts'
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

/** The dashboard's place: what works today, one click away, until the dashboard itself is there. */
export function StartScreen({ user }: { user: CurrentUser }) {
  const styles = useStyles()
  return (
    <Page title="Dashboard Overview" subtitle={`Welcome back, ${user.firstName}`}>
      <Notice tone="plain" icon={HourglassRegular} title="The dashboard is coming in the next version">
        <Text>Today's schedule, figures and insights will be here. Your patients are ready now.</Text>
      </Notice>
      <div className={styles.cards}>
        <section className={styles.card} aria-labelledby="start-patients">
          <PeopleRegular className={styles.icon} aria-hidden />
          <h2 id="start-patients" className={styles.title}>
            Patients
          </h2>
          <Text className={styles.text}>Find anybody by name, phone or date of birth, even when it is misspelt.</Text>
          <LinkButton to="/patients">Open patients</LinkButton>
        </section>
        <section className={styles.card} aria-labelledby="start-import">
          <ArrowUploadRegular className={styles.icon} aria-hidden />
          <h2 id="start-import" className={styles.title}>
            Bring your patients over
          </h2>
          <Text className={styles.text}>
            From a spreadsheet or the export of your old system. You see every row before it is added.
          </Text>
          <LinkButton to="/patients/import">Import patients</LinkButton>
        </section>
      </div>
    </Page>
  )
}
