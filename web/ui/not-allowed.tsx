import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { EmptyState } from './empty-state.tsx'
import { useTableStyles } from './table-styles.ts'

/** Content of a screen that the role of the user does not include. */
export function NotAllowed({ title, hint }: { title: string; hint: string }) {
  return (
    <div className={useTableStyles().surface}>
      <EmptyState icon={LockClosedRegular} title={title} hint={hint} />
    </div>
  )
}
