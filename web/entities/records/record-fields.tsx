import { Checkbox, Field, makeStyles, Select, Textarea } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { type Control, useController } from 'react-hook-form'
import { providersQuery } from '#web/entities/providers/providers.ts'
import { ChoiceField } from '#web/forms/choice-field.tsx'
import { DateField } from '#web/forms/date-field.tsx'
import { useFormGrid } from '#web/forms/form-grid.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { AppointmentField } from './appointment-field.tsx'
import { ItemsField } from './items-field.tsx'
import type { RecordField } from './record-kind.ts'
import type { RecordValues } from './record-values.ts'

const useStyles = makeStyles({ stack: { display: 'grid', rowGap: '6px' } })

const wideKinds = new Set<RecordField['kind']>(['text', 'lines', 'codes', 'items', 'flag', 'appointment'])

const inputModes: Partial<Record<RecordField['kind'], 'numeric' | 'decimal'>> = {
  number: 'numeric',
  measure: 'decimal',
}

type InputProps = { field: RecordField; control: Control<RecordValues> }

/** The inputs of a record's form, in two columns where there is room. */
export function RecordFields({ fields, control }: { fields: readonly RecordField[]; control: Control<RecordValues> }) {
  const styles = useFormGrid()
  return (
    <div className={styles.grid}>
      {fields.map((field) => (
        <div key={field.name} className={wideKinds.has(field.kind) ? styles.wide : undefined}>
          <RecordInput field={field} control={control} />
        </div>
      ))}
    </div>
  )
}

function RecordInput({ field, control }: InputProps) {
  const { kind, name, label, hint, required = false, maxLength } = field
  switch (kind) {
    case 'date':
      return <DateField control={control} name={name} label={label} hint={hint} />
    case 'choice':
      return <ChoiceField control={control} name={name} label={label} choices={field.choices ?? {}} />
    case 'provider':
      return <ProviderInput field={field} control={control} />
    case 'appointment':
      return <AppointmentField control={control} name={name} label={label} />
    case 'flag':
      return <FlagInput field={field} control={control} />
    case 'text':
    case 'lines':
      return <TextInput field={field} control={control} />
    case 'codes':
      return <CodesInput field={field} control={control} />
    case 'items':
      return <ItemsField control={control} name={name} label={label} />
    default:
      return (
        <TextField
          control={control}
          name={name}
          label={label}
          hint={hint}
          required={required}
          size="medium"
          autoComplete="off"
          inputMode={inputModes[kind] ?? 'text'}
          {...(kind === 'moment' ? { type: 'datetime-local' } : {})}
          {...(maxLength === undefined ? {} : { maxLength })}
        />
      )
  }
}

function ProviderInput({ field: { name, label }, control }: InputProps) {
  const { field, fieldState } = useController({ control, name })
  const { data: providers = [] } = useQuery(providersQuery)
  return (
    <Field label={label} validationMessage={fieldState.error?.message}>
      <Select {...field}>
        <option value="">No provider</option>
        {providers
          .filter(({ id, active }) => active || id === field.value)
          .map(({ id, name: provider }) => (
            <option key={id} value={id}>
              {provider}
            </option>
          ))}
      </Select>
    </Field>
  )
}

function FlagInput({ field: { name, label }, control }: InputProps) {
  const { field } = useController({ control, name })
  const { value, onChange, ...rest } = field
  return (
    <Checkbox
      {...rest}
      label={label}
      checked={value === 'true'}
      onChange={(_, { checked }) => onChange(checked === true ? 'true' : '')}
    />
  )
}

function TextInput({ field: { name, label, hint, required = false, maxLength, kind }, control }: InputProps) {
  const { field, fieldState } = useController({ control, name })
  const error = fieldState.error?.message
  return (
    <Field label={label} required={required} {...(error ? { validationMessage: error } : { hint })}>
      <Textarea
        resize="vertical"
        rows={kind === 'lines' ? 2 : 3}
        {...field}
        textarea={{ dir: 'auto', ...(maxLength === undefined ? {} : { maxLength }) }}
      />
    </Field>
  )
}

/** Codes with commas between them; those of the list are added by a choice. */
function CodesInput({ field: { name, label, hint, suggestions }, control }: InputProps) {
  const styles = useStyles()
  const { field } = useController({ control, name })
  const add = (code: string) => {
    const codes = field.value.split(/[\s,;]+/u).filter((each) => each !== '')
    if (code !== '' && !codes.includes(code)) field.onChange([...codes, code].join(', '))
  }
  return (
    <div className={styles.stack}>
      <TextField
        control={control}
        name={name}
        label={label}
        hint={hint ?? 'Separated by commas'}
        size="medium"
        autoComplete="off"
        spellCheck={false}
      />
      {suggestions && (
        <Select aria-label={`Add to ${label.toLowerCase()}`} value="" onChange={(_, { value }) => add(value)}>
          <option value="">Add from the list...</option>
          {suggestions.map(([code, meaning]) => (
            <option key={code} value={code}>
              {code} {meaning}
            </option>
          ))}
        </Select>
      )}
    </div>
  )
}
