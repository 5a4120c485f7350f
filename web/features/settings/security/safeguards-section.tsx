import {
  Accordion,
  AccordionHeader,
  AccordionItem,
  AccordionPanel,
  Badge,
  Link,
  makeStyles,
  mergeClasses,
  Text,
  tokens,
} from '@fluentui/react-components'
import { Checkmark16Regular } from '@fluentui/react-icons/svg/checkmark'
import { Warning16Filled } from '@fluentui/react-icons/svg/warning'
import { useQuery } from '@tanstack/react-query'
import { sampleSafeguards } from '#contracts/sample-practice.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { LoadedSection, SectionForbidden } from '../sections/section-state.tsx'
import { SettingsList, SettingsRow } from '../sections/settings-grid.tsx'
import { type DescribedSafeguard, describeSafeguards } from './describe-safeguards.ts'
import { safeguardsQuery } from './safeguards-api.ts'

const title = 'HIPAA status'

const useStyles = makeStyles({
  item: {
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    ':first-child': { borderTop: 'none' },
  },
  header: {
    '> button': {
      minHeight: '52px',
      paddingLeft: 0,
      paddingRight: 0,
      fontSize: tokens.fontSizeBase300,
      fontWeight: tokens.fontWeightMedium,
    },
    // Otherwise the icon takes half of the room beside the badge.
    '& .fui-AccordionHeader__expandIcon': { flexGrow: 0 },
  },
  name: { display: 'flex', flexGrow: 1, flexWrap: 'wrap', alignItems: 'center', gap: '4px 8px' },
  badge: { marginLeft: 'auto', marginRight: '8px' },
  panel: { margin: 0, display: 'grid', rowGap: '12px', padding: '4px 0 16px' },
  findings: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', rowGap: '8px' },
  finding: {
    display: 'grid',
    gridTemplateColumns: '16px minmax(0, 1fr)',
    columnGap: '8px',
    overflowWrap: 'anywhere',
  },
  icon: { paddingTop: '2px', color: tokens.colorStatusSuccessForeground1 },
  warning: { color: tokens.colorStatusWarningForeground1 },
  foot: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: '8px 16px' },
})

/** The four HIPAA safeguards, each with what it rests on. The demo shows the sample's. */
export function SafeguardsSection() {
  const user = useCurrentUser()
  const canView = useHasPermission('settings')
  if (!user || showsSampleData(user)) return <SampleSafeguards />
  return canView ? <CheckedSafeguards /> : <SectionForbidden subject="The HIPAA checks" />
}

function SampleSafeguards() {
  return (
    <Panel
      title={title}
      action={
        <Badge appearance="outline" color="informative">
          Demo
        </Badge>
      }
    >
      <SettingsList label={title}>
        {sampleSafeguards.map((name) => (
          <SettingsRow key={name}>
            <Text>{name}</Text>
            <StatusBadge status="active" />
          </SettingsRow>
        ))}
      </SettingsList>
    </Panel>
  )
}

function CheckedSafeguards() {
  const styles = useStyles()
  const formatInstant = useFormatInstant()
  const query = useQuery(safeguardsQuery)
  return (
    <Panel title={title} note="Open one for its evidence">
      <LoadedSection query={query} subject="The HIPAA checks" loadingSubject="the HIPAA checks" rows={4}>
        {(safeguards) => (
          <Accordion multiple collapsible>
            {describeSafeguards(safeguards, formatInstant).map((safeguard) => (
              <AccordionItem key={safeguard.label} value={safeguard.label} className={styles.item}>
                <AccordionHeader as="h3" expandIconPosition="end" className={styles.header}>
                  <span className={styles.name}>
                    {safeguard.label}{' '}
                    <span className={styles.badge}>
                      <StatusBadge status={safeguard.isActive ? 'active' : 'action-needed'} />
                    </span>
                  </span>
                </AccordionHeader>
                <AccordionPanel className={styles.panel}>
                  <Evidence safeguard={safeguard} checkedAt={safeguards.checkedAt} />
                </AccordionPanel>
              </AccordionItem>
            ))}
          </Accordion>
        )}
      </LoadedSection>
    </Panel>
  )
}

type EvidenceProps = { safeguard: DescribedSafeguard; checkedAt: string }

function Evidence({ safeguard: { purpose, findings, link }, checkedAt }: EvidenceProps) {
  const styles = useStyles()
  const formatInstant = useFormatInstant()
  return (
    <>
      <Text>{purpose}</Text>
      <ul className={styles.findings}>
        {findings.map(({ isMet, text }) => (
          <li key={text} className={styles.finding}>
            {isMet ? (
              <Checkmark16Regular className={styles.icon} aria-label="Met" />
            ) : (
              <Warning16Filled className={mergeClasses(styles.icon, styles.warning)} aria-label="Not met" />
            )}
            <Text>{text}</Text>
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        <SecondaryText>Checked {formatInstant(checkedAt)}</SecondaryText>
        {link &&
          ('to' in link ? (
            <LinkButton to={link.to} size="small">
              {link.label}
            </LinkButton>
          ) : (
            <Link href={link.href}>{link.label}</Link>
          ))}
      </div>
    </>
  )
}
