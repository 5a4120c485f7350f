import { makeStyles, tokens } from '@fluentui/react-components'
import { Panel } from '#web/ui/panel.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { notEnoughData } from '#web/ui/format.ts'
import type { BusyHoursModel } from './analytics-model.ts'

const useStyles = makeStyles({
  scroll: { overflowX: 'auto', ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` } },
  table: {
    width: '100%',
    borderCollapse: 'separate',
    borderSpacing: '2px',
    fontVariantNumeric: 'tabular-nums',
    fontSize: tokens.fontSizeBase200,
  },
  hour: {
    padding: '2px 4px',
    textAlign: 'center',
    color: tokens.colorNeutralForeground3,
    fontWeight: tokens.fontWeightRegular,
    whiteSpace: 'nowrap',
  },
  day: {
    width: '1%',
    padding: '2px 12px 2px 0',
    textAlign: 'left',
    fontWeight: tokens.fontWeightRegular,
    whiteSpace: 'nowrap',
  },
  cell: {
    position: 'relative',
    minWidth: '34px',
    height: '30px',
    textAlign: 'center',
    borderRadius: tokens.borderRadiusMedium,
    overflow: 'hidden',
    backgroundColor: tokens.colorNeutralBackground3,
  },
  heat: { position: 'absolute', inset: 0, backgroundColor: tokens.colorBrandBackground2Pressed },
  count: { position: 'relative' },
})

/** The hours in which appointments begin, as a table whose cells are the darker the busier the hour is. */
export function BusyHours({ busy }: { busy: BusyHoursModel | null }) {
  const styles = useStyles()
  return (
    <Panel title="Busy hours">
      {busy === null ? (
        <SecondaryText as="p">{notEnoughData}</SecondaryText>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a table that scrolls is reached by keyboard
        <div className={styles.scroll} tabIndex={0} role="group" aria-label="Appointments by weekday and hour">
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col" className={styles.day}>
                  Weekday
                </th>
                {busy.hours.map(({ hour, label }) => (
                  <th key={hour} scope="col" className={styles.hour}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {busy.days.map(({ label, cells }) => (
                <tr key={label}>
                  <th scope="row" className={styles.day}>
                    {label}
                  </th>
                  {cells.map(({ hour, count, share }) => (
                    <td key={hour} className={styles.cell}>
                      <span className={styles.heat} style={{ opacity: share }} aria-hidden />
                      <span className={styles.count}>{count === 0 ? '' : count}</span>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  )
}
