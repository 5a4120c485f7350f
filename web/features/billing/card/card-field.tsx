import { Field, Input, makeStyles, tokens } from '@fluentui/react-components'
import { type ReactElement, useLayoutEffect, useRef, useState } from 'react'
import { type Control, useController } from 'react-hook-form'
import { reformatInput } from './card-format.ts'
import type { CardValues } from './card-values.ts'

// The focus underline is red too while the field is invalid.
const useStyles = makeStyles({ error: { '::after': { borderBottomColor: tokens.colorStatusDangerBorder2 } } })

type CardFieldProps = {
  control: Control<CardValues>
  name: keyof CardValues
  label: string
  placeholder?: string
  autoComplete: string
  format: (digits: string) => string
  className?: string
  icon?: ReactElement
  autoFocus?: boolean
}

/** Field that groups digits while the user types; the caret keeps its position. */
export function CardField({ control, name, label, format, className, icon, ...input }: CardFieldProps) {
  const styles = useStyles()
  const { field, fieldState } = useController({ control, name })
  const element = useRef<HTMLInputElement | null>(null)
  const [caret, setCaret] = useState<{ position: number } | null>(null)
  useLayoutEffect(() => {
    if (caret) element.current?.setSelectionRange(caret.position, caret.position)
  }, [caret])
  const error = fieldState.error?.message
  return (
    <Field label={label} {...(className ? { className } : {})} {...(error ? { validationMessage: error } : {})}>
      <Input
        {...input}
        size="large"
        inputMode="numeric"
        aria-required
        spellCheck={false}
        {...(icon ? { contentBefore: icon } : {})}
        {...(error ? { className: styles.error } : {})}
        name={name}
        ref={(it) => {
          element.current = it
          field.ref(it)
        }}
        value={field.value}
        onBlur={field.onBlur}
        onChange={({ target }, { value }) => {
          const typed = { text: value, caret: target.selectionStart ?? value.length }
          const next = reformatInput(format, typed)
          field.onChange(next.text)
          setCaret({ position: next.caret })
        }}
      />
    </Field>
  )
}
