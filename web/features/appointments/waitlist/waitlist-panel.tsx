import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { AddRegular, DismissRegular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { formatMediumDate } from '../calendar-dates.ts'
import { useRemoveFromWaitlist, waitlistQuery } from './waitlist-api.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { formatName } from '../labels.ts'

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
  row: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: '4px', alignItems: 'center' },
  words: { display: 'grid', minWidth: 0 },
  quiet: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
})

/** Who would come earlier. When a time is freed, those who fit best are offered. */
export function WaitlistPanel({ onAdd }: { onAdd: () => void }) {
  const styles = useStyles()
  const notify = useNotify()
  const { data = [] } = useQuery(waitlistQuery)
  const remove = useRemoveFromWaitlist()
  return (
    <Panel
      title="Waitlist"
      note={data.length > 0 ? String(data.length) : null}
      action={
        <Button size="small" appearance="subtle" icon={<AddRegular />} aria-label="Add to waitlist" onClick={onAdd} />
      }
    >
      {data.length === 0 && <Text className={styles.quiet}>Nobody waits for an earlier time.</Text>}
      <ul className={styles.list}>
        {data.map(({ id, patient, type, latest }) => (
          <li key={id} className={styles.row}>
            <span className={styles.words}>
              <Text weight="semibold" truncate wrap={false} dir="auto">
                {formatName(patient)}
              </Text>
              <Text className={styles.quiet}>
                {[appointmentTypeLabels[type], latest && `until ${formatMediumDate(latest)}`]
                  .filter(Boolean)
                  .join(', ')}
              </Text>
            </span>
            <Button
              size="small"
              appearance="subtle"
              icon={<DismissRegular />}
              aria-label={`Take ${formatName(patient)} off the waitlist`}
              onClick={() =>
                remove.mutate(id, {
                  onSuccess: () => notify({ title: 'Taken off the waitlist', body: formatName(patient) }),
                  onError: (error) =>
                    notify({ title: 'Failed to change the waitlist', body: errorMessage(error), intent: 'error' }),
                })
              }
            />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
