import { makeStyles, Spinner, tokens } from '@fluentui/react-components'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refreshCurrentUser } from '#web/entities/accounts/current-user.ts'

const useStyles = makeStyles({
  banner: {
    justifyContent: 'flex-start',
    display: 'flex',
    columnGap: '12px',
    padding: '6px 24px',
    color: tokens.colorNeutralForeground2,
    backgroundColor: tokens.colorNeutralBackground3,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    '@media (max-width: 767px)': { padding: '6px 12px' },
    '@media print': { display: 'none' },
  },
})

/** Interval at which the end of the removal is looked for, in case no live update reports it. */
const pollIntervalMs = 4_000

/** Notice above every screen while the sample records of a new subscriber are being removed. */
export function SampleRemovalBanner() {
  const styles = useStyles()
  const queries = useQueryClient()
  useEffect(() => {
    const timer = setInterval(() => void refreshCurrentUser(queries), pollIntervalMs)
    return () => clearInterval(timer)
  }, [queries])
  return (
    <Spinner
      className={styles.banner}
      size="tiny"
      label="Sample records are being removed. They no longer count anywhere; those that you edited return in a moment."
      role="status"
    />
  )
}
