import { Combobox, Field, makeStyles, Option } from '@fluentui/react-components'
import { useState } from 'react'
import { type Control, useController } from 'react-hook-form'
import { toLocalTime } from '#contracts/values/calendar.ts'
import { listTimeZones } from '#contracts/values/time-zone.ts'
import { formatTimeZone } from '#web/entities/practices/format-time-zone.ts'
import type { TextValues } from '#web/forms/text-form.ts'
import { formatTime } from '#web/ui/dates.ts'
import { useNow } from '#web/ui/use-now.ts'

const useStyles = makeStyles({ zone: { minWidth: 0 }, list: { maxHeight: '280px' } })

/** The number of matches that the list shows; more typing narrows them. */
const maxOptions = 50

/** Returns the time zones that contain the typed words, "new york" or "eastern". */
function findTimeZones(typed: string): readonly string[] {
  const words = typed.toLowerCase().split(/[\s/_]+/)
  return listTimeZones()
    .filter((zone) => words.every((word) => zone.toLowerCase().includes(word)))
    .slice(0, maxOptions)
}

/** Field to choose a time zone by typing a part of its name. Its hint shows the current time there. */
export function TimeZoneField({ control, name, label }: { control: Control<TextValues>; name: string; label: string }) {
  const styles = useStyles()
  const now = useNow(15_000)
  const {
    field: { ref, value: zone = '', onChange, onBlur },
    fieldState,
  } = useController({ control, name })
  const [typed, setTyped] = useState<string | null>(null)
  const matches = findTimeZones(typed ?? '')
  const error = fieldState.error?.message
  return (
    <Field
      label={label}
      className="wide"
      required
      {...(error
        ? { validationMessage: error }
        : { hint: `Used for schedules, slots and reminders. It is ${formatTime(toLocalTime(now, zone))} there now.` })}
    >
      <Combobox
        ref={ref}
        name={name}
        className={styles.zone}
        listbox={{ className: styles.list }}
        inlinePopup
        autoComplete="off"
        value={typed ?? formatTimeZone(zone)}
        selectedOptions={[zone]}
        onChange={(event) => setTyped(event.target.value)}
        onOptionSelect={(_, { optionValue }) => {
          // Without a value while typing: Fluent clears its selection then.
          if (!optionValue) return
          onChange(optionValue)
          setTyped(null)
        }}
        onBlur={() => {
          setTyped(null)
          onBlur()
        }}
      >
        {matches.map((match) => (
          <Option key={match} value={match}>
            {formatTimeZone(match)}
          </Option>
        ))}
        {matches.length === 0 && (
          <Option key="none" value="" disabled>
            No time zone with this name
          </Option>
        )}
      </Combobox>
    </Field>
  )
}
