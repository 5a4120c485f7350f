import { makeStyles, Skeleton, SkeletonItem } from '@fluentui/react-components'
import { halfHourHeight } from './day-layout.ts'

const useStyles = makeStyles({
  root: { display: 'grid', rowGap: '4px', padding: '12px 16px 16px 76px' },
  row: { height: `${halfHourHeight - 4}px` },
})

/** Placeholder of a loading day, with rows of the final height so that nothing moves when it is loaded. */
export function DaySkeleton() {
  const styles = useStyles()
  return (
    <Skeleton className={styles.root} aria-label="Loading appointments">
      {Array.from({ length: 13 }, (_, row) => (
        <SkeletonItem key={row} className={styles.row} />
      ))}
    </Skeleton>
  )
}
