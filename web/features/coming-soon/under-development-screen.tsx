import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { ArrowLeftRegular } from '@fluentui/react-icons/svg/arrow-left'
import { CheckmarkCircle20Filled } from '@fluentui/react-icons/svg/checkmark-circle'
import { ChartMultiple20Regular } from '@fluentui/react-icons/svg/chart-multiple'
import { Flow20Regular } from '@fluentui/react-icons/svg/flow'
import type { FluentIcon } from '@fluentui/react-icons'
import { Phone20Regular } from '@fluentui/react-icons/svg/phone'
import { ShieldCheckmark20Regular } from '@fluentui/react-icons/svg/shield-checkmark'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Page } from '#web/ui/page.tsx'
import { Panel } from '#web/ui/panel.tsx'

const useStyles = makeStyles({
  columns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 1fr)',
    columnGap: '16px',
    rowGap: '16px',
    '@media (max-width: 1023px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  item: { display: 'flex', alignItems: 'center', columnGap: '12px', minHeight: '52px' },
  line: { borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
  icon: { color: tokens.colorBrandForeground1, flexShrink: 0 },
  done: { color: tokens.colorStatusSuccessForeground1, flexShrink: 0 },
  time: {
    marginLeft: 'auto',
    padding: '0 10px',
    lineHeight: '24px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorNeutralBackground4,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightMedium,
    whiteSpace: 'nowrap',
  },
})

const roadmap: readonly { label: string; when: string; icon: FluentIcon }[] = [
  { label: 'AI Phone System', when: 'Q1 2025', icon: Phone20Regular },
  { label: 'Real-time Insurance Verification', when: 'Q1 2025', icon: ShieldCheckmark20Regular },
  { label: 'Automated Workflows', when: 'Q2 2025', icon: Flow20Regular },
  { label: 'Advanced Analytics', when: 'Q2 2025', icon: ChartMultiple20Regular },
]

const available = ['Patient management', 'Appointment scheduling', 'Forms and intake']

/** Roadmap and available features, where "Soon" entries lead demo users. */
export function UnderDevelopmentScreen() {
  const styles = useStyles()
  return (
    <Page
      title="Feature Under Development"
      subtitle="This part is not in the demo yet"
      action={
        <LinkButton to="/" appearance="primary" icon={<ArrowLeftRegular />}>
          Back to Dashboard
        </LinkButton>
      }
    >
      <div className={styles.columns}>
        <Panel title="Roadmap">
          <ul className={styles.list}>
            {roadmap.map(({ label, when, icon: Icon }, index) => (
              <li key={label} className={mergeClasses(styles.item, index > 0 && styles.line)}>
                <Icon className={styles.icon} aria-hidden />
                <Text weight="semibold">{label}</Text>
                <span className={styles.time}>{when}</span>
              </li>
            ))}
          </ul>
        </Panel>
        <Panel title="Available features">
          <ul className={styles.list}>
            {available.map((feature, index) => (
              <li key={feature} className={mergeClasses(styles.item, index > 0 && styles.line)}>
                <CheckmarkCircle20Filled className={styles.done} aria-hidden />
                <Text>{feature}</Text>
              </li>
            ))}
          </ul>
        </Panel>
      </div>
    </Page>
  )
}
