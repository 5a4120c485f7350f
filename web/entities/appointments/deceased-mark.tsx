import { makeStyles, tokens } from '@fluentui/react-components'

const useStyles = makeStyles({
  mark: { color: tokens.colorStatusDangerForeground1, fontWeight: tokens.fontWeightSemibold, whiteSpace: 'nowrap' },
})

/**
 * Says before what is planned with a patient that they have died, so that it is read before someone calls. `separator` is between it
 * and the rest of the line.
 */
export function DeceasedMark({ separator = ', ' }: { separator?: string }) {
  const styles = useStyles()
  return (
    <>
      <span className={styles.mark}>Deceased</span>
      {separator}
    </>
  )
}
