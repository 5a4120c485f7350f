import { formatName } from '#web/ui/format.ts'
import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss'
import { useQuery } from '@tanstack/react-query'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { errorMessage } from '#web/api/call.ts'
import { keepFocusBeside } from '#web/ui/use-focus-return.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import type { SchedulingContext } from '../scheduling-context.ts'
import { describeWishes } from './describe-entry.ts'
import { useRemoveEntry } from './use-remove-entry.ts'
import { waitlistQuery } from './waitlist-api.ts'
import { DeceasedMark } from '#web/entities/appointments/deceased-mark.tsx'

const useStyles = makeStyles({
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    display: 'grid',
    rowGap: '6px',
    maxHeight: '220px',
    overflowY: 'auto',
  },
  entry: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: '4px', alignItems: 'center' },
  open: {
    display: 'grid',
    minWidth: 0,
    padding: '2px 6px',
    margin: '0 0 0 -6px',
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'transparent',
    color: 'inherit',
    font: 'inherit',
    textAlign: 'start',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorSubtleBackgroundHover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  secondary: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
})

type WaitlistPanelProps = {
  context: SchedulingContext
  onAdd: () => void
  onOpen: (entry: WaitlistEntry) => void
}

/** Lists the patients who want an earlier appointment. A freed slot is offered to the best matches. */
export function WaitlistPanel({ context, onAdd, onOpen }: WaitlistPanelProps) {
  const styles = useStyles()
  const { data, isLoadingError, error: failure, refetch } = useQuery(waitlistQuery)
  const { remove } = useRemoveEntry()
  return (
    <Panel
      title="Waitlist"
      note={data && data.length > 0 ? String(data.length) : null}
      action={
        <Button size="small" appearance="subtle" icon={<AddRegular />} aria-label="Add to waitlist" onClick={onAdd} />
      }
    >
      {isLoadingError && (
        <ErrorState
          isCompact
          title="The waitlist could not be loaded"
          hint={errorMessage(failure)}
          onRetry={() => void refetch()}
        />
      )}
      {data?.length === 0 && <Text className={styles.secondary}>No patients on the waitlist.</Text>}
      <ul className={styles.list}>
        {data?.map((entry) => (
          <li key={entry.id} className={styles.entry}>
            <button type="button" className={styles.open} onClick={() => onOpen(entry)}>
              <Text weight="semibold" truncate wrap={false} dir="auto">
                {formatName(entry.patient)}
              </Text>
              <Text className={styles.secondary}>
                {entry.patientDeceased && <DeceasedMark />}
                {entry.isOver && 'Over, '}
                {describeWishes(entry, context)}
              </Text>
              {entry.notes && (
                <Text className={styles.secondary} truncate wrap={false} dir="auto">
                  {entry.notes}
                </Text>
              )}
            </button>
            <Button
              size="small"
              appearance="subtle"
              icon={<DismissRegular />}
              aria-label={`Remove ${formatName(entry.patient)} from the waitlist`}
              onClick={({ currentTarget }) => {
                keepFocusBeside(currentTarget)
                remove(entry)
              }}
            />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
