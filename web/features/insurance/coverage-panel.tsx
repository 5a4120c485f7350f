import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import type { VerificationDetails } from '#contracts/insurance.ts'
import { getTodayIn, usePracticeZone } from '#web/entities/practices/practice-time.ts'
import { formatDate } from '#web/ui/dates.ts'
import { useNow } from '#web/ui/use-now.ts'
import { SecondaryText } from '#web/ui/text.tsx'
import { layOutCoverage } from './coverage-line.ts'

const useStyles = makeStyles({
  line: {
    position: 'relative',
    height: '8px',
    margin: '12px 8px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorNeutralBackground5,
  },
  covered: {
    position: 'absolute',
    top: 0,
    bottom: 0,
    minWidth: '8px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorBrandBackground,
  },
  mark: {
    position: 'absolute',
    top: '50%',
    width: '12px',
    height: '12px',
    borderRadius: tokens.borderRadiusCircular,
    transform: 'translate(-50%, -50%)',
    boxSizing: 'border-box',
    backgroundColor: tokens.colorNeutralBackground1,
    border: `3px solid ${tokens.colorBrandStroke1}`,
  },
  decision: { width: '4px', height: '16px', border: 'none', backgroundColor: tokens.colorNeutralForeground3 },
  ends: { display: 'flex', justifyContent: 'space-between' },
  legend: { display: 'flex', columnGap: '16px', alignItems: 'center', flexWrap: 'wrap' },
  key: { display: 'inline-flex', alignItems: 'center', columnGap: '6px' },
  sample: { position: 'static', transform: 'none' },
})

/** Describes the coverage in words, for screen readers. */
function describeCoverage({ eligibilityDate, expiryDate }: VerificationDetails): string {
  const from = eligibilityDate ? `from ${formatDate(eligibilityDate)}` : 'from an unknown day'
  return `Coverage ${from} ${expiryDate ? `until ${formatDate(expiryDate)}` : 'without an end'}`
}

/** The coverage on a line, with today and the days on which a person verified or denied it. */
export function CoveragePanel({ verification }: { verification: VerificationDetails }) {
  const styles = useStyles()
  const zone = usePracticeZone()
  const now = useNow(60_000)
  const decidedOn = verification.history
    .filter(({ status }) => status === 'verified' || status === 'denied')
    .map(({ at }) => getTodayIn(zone, new Date(at)))
  const line = layOutCoverage(verification, decidedOn, getTodayIn(zone, now))
  if (!line) return <SecondaryText as="p">No dates of the coverage are known.</SecondaryText>
  const { covered, today, decisions } = line
  return (
    <>
      <div className={styles.line} role="img" aria-label={describeCoverage(verification)}>
        <span
          className={styles.covered}
          style={{ left: `${covered.start}%`, width: `${covered.end - covered.start}%` }}
        />
        {decisions.map((place, index) => (
          <span key={index} className={mergeClasses(styles.mark, styles.decision)} style={{ left: `${place}%` }} />
        ))}
        <span className={styles.mark} style={{ left: `${today}%` }} />
      </div>
      <div className={styles.ends}>
        <SecondaryText>{formatDate(line.from)}</SecondaryText>
        <SecondaryText>{formatDate(line.until)}</SecondaryText>
      </div>
      <div className={styles.legend}>
        {decisions.length > 0 && (
          <SecondaryText className={styles.key}>
            <span className={mergeClasses(styles.mark, styles.decision, styles.sample)} aria-hidden />
            Checked
          </SecondaryText>
        )}
        <SecondaryText className={styles.key}>
          <span className={mergeClasses(styles.mark, styles.sample)} aria-hidden />
          Today
        </SecondaryText>
      </div>
    </>
  )
}
