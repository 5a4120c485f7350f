import { makeStyles, ProgressBar, tokens } from '@fluentui/react-components'
import { useState } from 'react'
import type { ImportStatus } from '#contracts/patient-import.ts'
import { formatTimeLeft } from '#web/ui/dates.ts'
import { SecondaryText } from '#web/ui/text.tsx'
import { formatNumber } from './import-labels.ts'

const useStyles = makeStyles({
  body: {
    padding: '28px 20px',
    display: 'grid',
    rowGap: '16px',
    '@media (max-width: 639px)': { padding: '20px 12px' },
  },
  line: {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    columnGap: '16px',
    alignItems: 'baseline',
  },
  moment: {
    margin: 0,
    fontSize: tokens.fontSizeBase600,
    lineHeight: tokens.lineHeightBase600,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.015em',
    fontVariantNumeric: 'tabular-nums',
  },
  so: { margin: 0, display: 'flex', columnGap: '40px', flexWrap: 'wrap', rowGap: '12px' },
  part: { display: 'flex', flexDirection: 'column-reverse' },
  figure: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    fontVariantNumeric: 'tabular-nums',
  },
})

/** Seconds that are left at the pace seen since this screen opened; null before there is a pace. `at` in milliseconds. */
function useTimeLeft({ done, total }: ImportStatus, at: number): number | null {
  const [first] = useState({ done, at })
  if (done <= first.done || at <= first.at) return null
  return ((total - done) * (at - first.at)) / (done - first.done) / 1_000
}

/** How far it is, what came of the rows so far, and how long it may still take; `at` is when that was asked. */
export function ImportProgress({ status, at }: { status: ImportStatus; at: number }) {
  const styles = useStyles()
  const left = useTimeLeft(status, at)
  const { state, done, total, created, skipped, failed } = status
  if (state === 'undoing')
    return (
      <div className={styles.body}>
        <h2 className={styles.moment}>Taking {formatNumber(created)} patients back</h2>
        <ProgressBar thickness="large" aria-label="Being undone" />
        <SecondaryText>Patients somebody has worked on since the import stay.</SecondaryText>
      </div>
    )
  const so = [
    [created, 'added'],
    [skipped, 'duplicates, left as they were'],
    [failed.length, 'left out'],
  ] as const
  return (
    <div className={styles.body}>
      <div className={styles.line}>
        <h2 className={styles.moment}>
          {formatNumber(done)} of {formatNumber(total)} rows
        </h2>
        <SecondaryText>
          {state === 'queued' ? 'starting' : left === null ? 'estimating the time' : formatTimeLeft(left)}
        </SecondaryText>
      </div>
      <ProgressBar value={total === 0 ? 0 : done / total} thickness="large" aria-label="Imported" />
      <dl className={styles.so}>
        {so.map(([number, what]) => (
          <div key={what} className={styles.part}>
            <dt>
              <SecondaryText>{what}</SecondaryText>
            </dt>
            <dd className={styles.figure}>{formatNumber(number)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
