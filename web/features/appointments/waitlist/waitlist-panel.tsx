import { formatName } from '#web/ui/format.ts'
import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#web/api/call.ts'
import { keepFocusBeside } from '#web/ui/use-focus-return.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { formatMediumDate } from '../calendar-dates.ts'
import { useRemoveFromWaitlist, waitlistQuery } from './waitlist-api.ts'
import { DeceasedMark } from '#web/entities/appointments/deceased-mark.tsx'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'

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
  text: { display: 'grid', minWidth: 0 },
  secondary: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
})

/** Lists the patients who want an earlier appointment. A freed slot is offered to the best matches. */
export function WaitlistPanel({ onAdd }: { onAdd: () => void }) {
  const styles = useStyles()
  const notify = useNotify()
  const { data, isLoadingError, error: failure, refetch } = useQuery(waitlistQuery)
  const remove = useRemoveFromWaitlist()
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
        {data?.map(({ id, patient, patientDeceased, type, latest }) => (
          <li key={id} className={styles.entry}>
            <span className={styles.text}>
              <Text weight="semibold" truncate wrap={false} dir="auto">
                {formatName(patient)}
              </Text>
              <Text className={styles.secondary}>
                {patientDeceased && <DeceasedMark />}
                {[appointmentTypeLabels[type], latest && `until ${formatMediumDate(latest)}`]
                  .filter(Boolean)
                  .join(', ')}
              </Text>
            </span>
            <Button
              size="small"
              appearance="subtle"
              icon={<DismissRegular />}
              aria-label={`Remove ${formatName(patient)} from the waitlist`}
              onClick={({ currentTarget }) => {
                keepFocusBeside(currentTarget)
                remove.mutate(id, {
                  onSuccess: () => notify({ title: 'Removed from the waitlist', body: formatName(patient) }),
                  onError: (error) =>
                    notify({ title: 'Failed to change the waitlist', body: errorMessage(error), intent: 'error' }),
                })
              }}
            />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
