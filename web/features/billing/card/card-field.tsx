import { Field, Input, makeStyles, tokens } from '@fluentui/react-components'
import { type ReactElement, useLayoutEffect, useRef, useState } from 'react'
import { type Control, useController } from 'react-hook-form'
import { reformatInput } from './card-format.ts'
import type { CardValues } from './card-values.ts'

// The line below a field that has the focus is red as well while the field is wrong.
const useStyles = makeStyles({ wrong: { '::after': { borderBottomColor: tokens.colorStatusDangerBorder2 } } })

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

/** A field for digits that come in groups: the groups appear while one types, and the caret stays where it is. */
export function CardField({ control, name, label, format, className, icon, ...input }: CardFieldProps) {
  const styles = useStyles()
  const { field, fieldState } = useController({ control, name })
  const element = useRef<HTMLInputElement | null>(null)
  const [caret, setCaret] = useState<{ at: number } | null>(null)
  useLayoutEffect(() => {
    if (caret) element.current?.setSelectionRange(caret.at, caret.at)
  }, [caret])
  const wrong = fieldState.error?.message
  return (
    <Field label={label} {...(className ? { className } : {})} {...(wrong ? { validationMessage: wrong } : {})}>
      <Input
        {...input}
        size="large"
        inputMode="numeric"
        aria-required
        spellCheck={false}
        {...(icon ? { contentBefore: icon } : {})}
        {...(wrong ? { className: styles.wrong } : {})}
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
          setCaret({ at: next.caret })
        }}
      />
    </Field>
  )
}
