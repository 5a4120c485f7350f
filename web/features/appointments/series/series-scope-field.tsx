import { Field, makeStyles, Radio, RadioGroup, Text, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import type { Appointment } from '#contracts/appointments.ts'
import { seriesQuery } from './series-api.ts'
import { filterByScope, type ChangeScope, scopeLabels } from './series-scope.ts'

const useStyles = makeStyles({
  group: { flexWrap: 'wrap' },
  count: { color: tokens.colorNeutralForeground3 },
})

type ScopeFieldProps = {
  appointment: Appointment
  now: Date
  label: string
  scope: ChangeScope
  onScope: (scope: ChangeScope) => void
}

/** This appointment, this and those after it, or all of its row; with how many that are. */
export function ScopeField({ appointment, now, label, scope, onScope }: ScopeFieldProps) {
  const styles = useStyles()
  const { data } = useQuery({ ...seriesQuery(appointment.seriesId ?? ''), enabled: appointment.seriesId !== null })
  return (
    <Field
      label={label}
      hint={scope === 'this' ? undefined : 'Appointments that are over or cancelled stay as they are.'}
    >
      <RadioGroup
        layout="horizontal"
        className={styles.group}
        value={scope}
        onChange={(_, { value }) => onScope(value as ChangeScope)}
      >
        {(Object.keys(scopeLabels) as ChangeScope[]).map((each) => (
          <Radio
            key={each}
            value={each}
            label={
              <>
                {scopeLabels[each]}
                {data && each !== 'this' && (
                  <Text className={styles.count}>{` (${filterByScope(data, appointment, each, now).length})`}</Text>
                )}
              </>
            }
          />
        ))}
      </RadioGroup>
    </Field>
  )
}
