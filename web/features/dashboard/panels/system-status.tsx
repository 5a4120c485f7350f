import { Link, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { Panel } from '#web/ui/panel.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { FigureExplanation } from '../figures/figures.ts'
import type { Loadable } from './loadable.ts'
import type { Service, SystemState } from '../dashboard-model.ts'
import { LoadablePanel } from './loadable-panel.tsx'

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: '0 20px', display: 'flex', flexDirection: 'column' },
  line: { borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
  service: { display: 'flex', alignItems: 'center', justifyContent: 'space-between', minHeight: '44px' },
  secondary: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  figures: {
    display: 'grid',
    gridTemplateColumns: '1fr 1fr',
    columnGap: '12px',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    margin: '8px 20px 20px',
    paddingTop: '14px',
  },
  figure: { display: 'grid', rowGap: '2px', alignContent: 'start' },
  number: {
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    fontVariantNumeric: 'tabular-nums',
  },
  text: { color: tokens.colorNeutralForeground2 },
  open: {
    justifySelf: 'start',
    textAlign: 'left',
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    minHeight: '24px',
  },
})

/** State of a service, with the labels of the spec (page 1, section 4). */
function ServiceStatus({ status }: Pick<Service, 'status'>) {
  const { secondary } = useStyles()
  if (status === 'operational' || status === 'active' || status === 'connected')
    return <StatusBadge status="operational" plain />
  if (status === 'rate-limited') return <StatusBadge status="rate-limited" plain />
  if (status === 'error') return <StatusBadge status="failed" label="Error" plain />
  if (status === 'stand-in' || status === 'not-configured') return <StatusBadge status={status} plain />
  return <Text className={secondary}>Unknown</Text>
}

type SystemStatusProps = { system: Loadable<SystemState>; onOpen: (explanation: FigureExplanation) => void }

/** State of the services, uptime and response time; each figure opens what it was computed from. */
export function SystemStatus({ system, onOpen }: SystemStatusProps) {
  const styles = useStyles()
  return (
    <Panel title="System Status" flush>
      <LoadablePanel
        source={system}
        loadingLabel="Loading the system status"
        rows={4}
        errorTitle="Unable to load the system status"
      >
        {({ services, metrics }) => (
          <>
            <ul className={styles.list}>
              {services.map(({ name, status }, index) => (
                <li key={name} className={mergeClasses(styles.service, index > 0 && styles.line)}>
                  <Text>{name}</Text>
                  <ServiceStatus status={status} />
                </li>
              ))}
            </ul>
            <div className={styles.figures}>
              {metrics.map(({ label, value, drillDown }) => (
                <span key={label} className={styles.figure}>
                  <Text className={/\d/.test(value) ? styles.number : styles.text}>{value}</Text>
                  <Text className={styles.secondary}>{label}</Text>
                  {drillDown && (
                    <Link as="button" className={styles.open} onClick={() => onOpen(drillDown.explained)}>
                      {drillDown.label}
                    </Link>
                  )}
                </span>
              ))}
            </div>
          </>
        )}
      </LoadablePanel>
    </Panel>
  )
}
