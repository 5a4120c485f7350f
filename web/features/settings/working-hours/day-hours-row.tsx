import { Button, Field, Input, makeStyles, mergeClasses, Switch, Text, tokens } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss'
import { type Control, type FieldPath, useController, type UseFormReturn, useWatch } from 'react-hook-form'
import { maxBreaks, type Weekday } from '#contracts/values/working-hours.ts'
import { keepFocusBeside } from '#web/ui/use-focus-return.ts'
import { suggestBreak, weekdayLabels, type WeekValues } from './week-form.ts'

const narrow = '@media (max-width: 479px)'

const useStyles = makeStyles({
  row: {
    display: 'grid',
    gridTemplateColumns: '152px minmax(0, 1fr)',
    columnGap: '12px',
    alignItems: 'start',
    padding: '10px 0',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    ':first-child': { borderTop: 'none' },
    [narrow]: { gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '6px' },
  },
  switch: { justifySelf: 'start', marginLeft: '-8px' },
  times: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '8px', minWidth: 0 },
  closed: { minHeight: '32px', display: 'flex', alignItems: 'center', color: tokens.colorNeutralForeground3 },
  period: {
    display: 'grid',
    gridTemplateColumns: '42px minmax(0, 132px) 14px minmax(0, 132px) 32px',
    alignItems: 'start',
    columnGap: '6px',
  },
  word: { lineHeight: '32px', color: tokens.colorNeutralForeground2 },
  add: { justifySelf: 'start', marginLeft: '40px' },
  input: {
    width: '100%',
    minWidth: 0,
    '& input': { minWidth: 0 },
    // Beside the time there is no room for it; a phone opens its own picker.
    [narrow]: { '& input::-webkit-calendar-picker-indicator': { display: 'none' } },
  },
  invalid: { '::after': { borderBottomColor: tokens.colorStatusDangerBorder2 } },
})

type Form = Pick<UseFormReturn<WeekValues>, 'setValue' | 'clearErrors' | 'getValues'> & { control: Control<WeekValues> }

/** One weekday: open or closed, its times and its breaks. */
export function DayHoursRow({ form, weekday }: { form: Form; weekday: Weekday }) {
  const styles = useStyles()
  const { control } = form
  const name = weekdayLabels[weekday]
  const { isOpen, breaks } = useWatch({ control, name: weekday })
  const {
    field: { ref, value, onChange, onBlur },
  } = useController({ control, name: `${weekday}.isOpen` })
  const setBreaks = (changed: WeekValues[Weekday]['breaks']) => {
    form.clearErrors(`${weekday}.breaks`)
    form.setValue(`${weekday}.breaks`, changed, { shouldDirty: true })
  }
  return (
    <li className={styles.row} aria-label={name}>
      <Switch
        className={styles.switch}
        ref={ref}
        name={`${weekday}.isOpen`}
        checked={value}
        label={name}
        onBlur={onBlur}
        onChange={(_, { checked }) => onChange(checked)}
      />
      {isOpen ? (
        <div className={styles.times}>
          <div className={styles.period}>
            <span className={styles.word}>Open</span>
            <TimeInput control={control} name={`${weekday}.opens`} label={`${name} opens`} />
            <span className={styles.word}>to</span>
            <TimeInput control={control} name={`${weekday}.closes`} label={`${name} closes`} />
          </div>
          {breaks.map((_, index) => (
            <div
              // The inputs of a break are those at its index.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              className={styles.period}
              role="group"
              aria-label={breaks.length === 1 ? `Break on ${name}` : `Break ${index + 1} on ${name}`}
            >
              <span className={styles.word}>Break</span>
              <TimeInput control={control} name={`${weekday}.breaks.${index}.from`} label="Starts" />
              <span className={styles.word}>to</span>
              <TimeInput control={control} name={`${weekday}.breaks.${index}.until`} label="Ends" />
              <Button
                appearance="subtle"
                icon={<DismissRegular />}
                aria-label={`Remove the break on ${name}`}
                onClick={({ currentTarget }) => {
                  keepFocusBeside(currentTarget)
                  setBreaks(form.getValues(`${weekday}.breaks`).filter((__, other) => other !== index))
                }}
              />
            </div>
          ))}
          {breaks.length < maxBreaks && (
            <Button
              className={styles.add}
              size="small"
              appearance="subtle"
              icon={<AddRegular />}
              aria-label={`Add break on ${name}`}
              onClick={() => {
                const values = form.getValues(weekday)
                setBreaks([...values.breaks, suggestBreak(values)])
              }}
            >
              Add break
            </Button>
          )}
        </div>
      ) : (
        <Text className={styles.closed}>Closed</Text>
      )}
    </li>
  )
}

type TimeInputProps = { control: Control<WeekValues>; name: FieldPath<WeekValues>; label: string }

function TimeInput({ control, name, label }: TimeInputProps) {
  const styles = useStyles()
  const {
    field: { ref, value, onChange, onBlur },
    fieldState,
  } = useController({ control, name })
  const error = fieldState.error?.message
  return (
    <Field {...(error ? { validationMessage: error } : {})}>
      <Input
        type="time"
        className={mergeClasses(styles.input, error && styles.invalid)}
        aria-label={label}
        name={name}
        ref={ref}
        value={typeof value === 'string' ? value : ''}
        onBlur={onBlur}
        onChange={(_, { value: typed }) => onChange(typed)}
      />
    </Field>
  )
}
