import { Field, makeStyles, Radio, RadioGroup, Text, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import type { Appointment } from '#contracts/appointments.ts'
import { seriesQuery } from './series-api.ts'
import { filterByScope, type ChangeScope, scopeLabels } from './series-scope.ts'

const useStyles = makeStyles({
  group: { flexWrap: 'wrap' },
  count: { color: tokens.colorNeutralForeground3 },
})

type SeriesScopeFieldProps = {
  appointment: Appointment
  now: Date
  label: string
  scope: ChangeScope
  onScope: (scope: ChangeScope) => void
}

/** Choice between this appointment, this and the following ones, and the whole series, each with its count. */
export function SeriesScopeField({ appointment, now, label, scope, onScope }: SeriesScopeFieldProps) {
  const styles = useStyles()
  const { data } = useQuery({ ...seriesQuery(appointment.seriesId ?? ''), enabled: appointment.seriesId !== null })
  return (
    <Field label={label} hint={scope === 'this' ? undefined : 'Past and cancelled appointments stay unchanged.'}>
      <RadioGroup
        layout="horizontal"
        className={styles.group}
        value={scope}
        onChange={(_, { value }) => onScope(value as ChangeScope)}
      >
        {(Object.keys(scopeLabels) as ChangeScope[]).map((option) => (
          <Radio
            key={option}
            value={option}
            label={
              <>
                {scopeLabels[option]}
                {data && option !== 'this' && (
                  <Text className={styles.count}>{` (${filterByScope(data, appointment, option, now).length})`}</Text>
                )}
              </>
            }
          />
        ))}
      </RadioGroup>
    </Field>
  )
}
