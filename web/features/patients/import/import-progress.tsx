import { formatCount, formatNumber } from '#web/ui/format.ts'
import { makeStyles, ProgressBar, tokens } from '@fluentui/react-components'
import { useState } from 'react'
import type { ImportStatus } from '#contracts/patient-import.ts'
import { formatTimeLeft } from '#web/ui/dates.ts'
import { SecondaryText } from '#web/ui/text.tsx'

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
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase600,
    lineHeight: tokens.lineHeightBase600,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.015em',
    fontVariantNumeric: 'tabular-nums',
  },
  counts: { margin: 0, display: 'flex', columnGap: '40px', flexWrap: 'wrap', rowGap: '12px' },
  part: { display: 'flex', flexDirection: 'column-reverse' },
  figure: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    fontVariantNumeric: 'tabular-nums',
  },
})

/** Estimates the remaining seconds from the progress since this screen opened; null at first. `at` is in milliseconds. */
function useTimeLeft({ done, total }: ImportStatus, at: number): number | null {
  const [first] = useState({ done, at })
  if (done <= first.done || at <= first.at) return null
  return ((total - done) * (at - first.at)) / (done - first.done) / 1_000
}

/** Progress of an import with its counts and the estimated time left; `at` is when the status was fetched. */
export function ImportProgress({ status, at }: { status: ImportStatus; at: number }) {
  const styles = useStyles()
  const secondsLeft = useTimeLeft(status, at)
  const { state, done, total, created, skipped, failed } = status
  if (state === 'undoing')
    return (
      <div className={styles.body}>
        <h2 className={styles.title}>Removing {formatCount(created, 'patient')}</h2>
        <ProgressBar thickness="large" aria-label="Undoing" />
        <SecondaryText>Patients changed since the import are kept.</SecondaryText>
      </div>
    )
  const counts = [
    [created, 'added'],
    [skipped, 'duplicates, unchanged'],
    [failed.length, 'left out'],
  ] as const
  return (
    <div className={styles.body}>
      <div className={styles.line}>
        <h2 className={styles.title}>
          {formatNumber(done)} of {formatCount(total, 'row')}
        </h2>
        <SecondaryText>
          {state === 'queued' ? 'starting' : secondsLeft === null ? 'estimating the time' : formatTimeLeft(secondsLeft)}
        </SecondaryText>
      </div>
      <ProgressBar value={total === 0 ? 0 : done / total} thickness="large" aria-label="Imported" />
      <dl className={styles.counts}>
        {counts.map(([number, label]) => (
          <div key={label} className={styles.part}>
            <dt>
              <SecondaryText>{label}</SecondaryText>
            </dt>
            <dd className={styles.figure}>{formatNumber(number)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
