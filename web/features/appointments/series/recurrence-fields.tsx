import { Field, Input, makeStyles, Select, Text, tokens } from '@fluentui/react-components'
import { ArrowRepeatAllRegular } from '@fluentui/react-icons/svg/arrow-repeat-all'
import { computeOutcome, describeOutcome, type RecurrenceValues, describeRecurrence } from './recurrence.ts'
import { SeriesDates } from './series-dates.tsx'
import type { SeriesPlan } from './use-series-plan.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  root: { gridColumn: '1 / -1', display: 'grid', rowGap: '14px' },
  row: {
    display: 'grid',
    gridTemplateColumns: 'repeat(4, minmax(0, 1fr))',
    columnGap: '16px',
    rowGap: '14px',
    alignItems: 'start',
    [narrow]: { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
  },
  fullWidth: { gridColumn: '1 / -1' },
  sentence: {
    display: 'grid',
    gridTemplateColumns: '20px minmax(0, 1fr)',
    columnGap: '8px',
    alignItems: 'start',
    fontWeight: tokens.fontWeightSemibold,
    '> svg': { fontSize: '20px', color: tokens.colorNeutralForeground3 },
  },
})

type RecurrenceFieldsProps = {
  plan: SeriesPlan
  /** Date and time of the first appointment, as typed. */
  date: string
  time: string
  today: string
  /** Time zone of the practice. */
  zone: string
}

/** Inputs of a recurrence, with a sentence that describes it and the list of its dates. */
export function RecurrenceFields({ plan, date, time, today, zone }: RecurrenceFieldsProps) {
  const styles = useStyles()
  const { repeat, setRepeat, isRepeating, recurrence, errors, appointments, resolutions } = plan
  const set = (change: Partial<RecurrenceValues>) => setRepeat({ ...repeat, ...change })
  const first = appointments.find(({ index }) => index === 0)
  const description = recurrence && date && time ? describeRecurrence(recurrence, first?.localDate ?? date, time) : null
  return (
    <div
      className={styles.root}
      role={isRepeating ? 'group' : undefined}
      aria-label={isRepeating ? 'Repeat' : undefined}
    >
      <div className={styles.row}>
        <Field label="Repeat" className={isRepeating ? undefined : styles.fullWidth}>
          <Select value={repeat.unit} onChange={(_, { value }) => set({ unit: value as RecurrenceValues['unit'] })}>
            <option value="none">Does not repeat</option>
            <option value="day">By days</option>
            <option value="week">By weeks</option>
            <option value="month">By months</option>
          </Select>
        </Field>
        {isRepeating && (
          <>
            <Field label="Every" validationMessage={errors.every}>
              <Input
                type="number"
                min={1}
                max={52}
                value={repeat.every}
                onChange={(_, { value }) => set({ every: value })}
                contentAfter={<Text>{`${repeat.unit}${repeat.every === '1' ? '' : 's'}`}</Text>}
              />
            </Field>
            <Field label="Ends">
              <Select value={repeat.ends} onChange={(_, { value }) => set({ ends: value as RecurrenceValues['ends'] })}>
                <option value="count">After</option>
                <option value="until">On a date</option>
              </Select>
            </Field>
            {repeat.ends === 'count' ? (
              <Field label="Appointments" validationMessage={errors.count}>
                <Input
                  type="number"
                  min={2}
                  max={52}
                  value={repeat.count}
                  onChange={(_, { value }) => set({ count: value })}
                />
              </Field>
            ) : (
              <Field label="Last day" validationMessage={errors.until}>
                <Input
                  type="date"
                  min={date}
                  max="2099-12-31"
                  value={repeat.until}
                  onChange={(_, { value }) => set({ until: value })}
                />
              </Field>
            )}
          </>
        )}
      </div>
      {isRepeating && (
        <>
          {description && (
            <p className={styles.sentence} style={{ margin: 0 }} aria-live="polite">
              <ArrowRepeatAllRegular aria-hidden />
              <span>
                {appointments.length > 0
                  ? `${description}, ${describeOutcome(computeOutcome(appointments, resolutions))}`
                  : description}
              </span>
            </p>
          )}
          <SeriesDates plan={plan} time={time} today={today} zone={zone} />
        </>
      )}
    </div>
  )
}
