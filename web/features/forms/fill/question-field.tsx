import {
  Button,
  Checkbox,
  Field,
  Input,
  Label,
  makeStyles,
  mergeClasses,
  Radio,
  RadioGroup,
  Select,
  Textarea,
  tokens,
} from '@fluentui/react-components'
import { ErrorCircle12Filled } from '@fluentui/react-icons/svg/error-circle'
import { useId, useState } from 'react'
import type { Question } from '#contracts/forms.ts'
import type { Answer } from '#contracts/values/forms.ts'
import { keepFocusBeside } from '#web/ui/use-focus-return.ts'
import { parseNumber } from './fill-steps.ts'

const useStyles = makeStyles({
  number: { maxWidth: '240px' },
  date: { maxWidth: '200px' },
  signature: { maxWidth: '400px' },
  options: { flexWrap: 'wrap' },
  // On a phone, one option a line: the options of a scale are easier to compare in their order.
  scale: { '@media (max-width: 639px)': { flexDirection: 'column' } },
  several: { display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))', columnGap: '8px' },
  group: { display: 'grid', rowGap: '2px' },
  error: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '4px',
    color: tokens.colorStatusDangerForeground1,
    fontSize: tokens.fontSizeBase200,
  },
})

type QuestionFieldProps = {
  question: Question
  answer: Answer | undefined
  error: string | undefined
  onAnswer: (answer: Answer | undefined) => void
  /** Checks what was typed, once the field is left. */
  onCheck: () => void
}

/** More choices than these are a list to open. */
const maxRadios = 7

/** Input of one question, by its type. */
export function QuestionField(props: QuestionFieldProps) {
  return (
    <div data-question={props.question.id}>
      <QuestionControl {...props} />
    </div>
  )
}

function QuestionControl(props: QuestionFieldProps) {
  switch (props.question.type) {
    case 'number':
      return <NumberField {...props} />
    case 'choice':
    case 'yes-no':
    case 'scale':
      return (props.question.options ?? []).length > maxRadios ? (
        <SelectField {...props} />
      ) : (
        <>
          <ChoiceField {...props} />
          <ClearButton {...props} />
        </>
      )
    case 'several':
      return <SeveralField {...props} />
    default:
      return <TextField {...props} />
  }
}

/** Returns the props of the field around the input of a question. */
const toFieldProps = ({ question: { label, required = false }, error }: QuestionFieldProps) => ({
  label,
  required,
  ...(error ? { validationMessage: error } : {}),
})

/** Input of a text, a date or a signature, which is the typed name. */
function TextField(props: QuestionFieldProps) {
  const styles = useStyles()
  const { question, answer, onAnswer, onCheck } = props
  const value = answer === undefined ? '' : String(answer)
  const set = (text: string) => onAnswer(text === '' ? undefined : text)
  if (question.type === 'text')
    return (
      <Field {...toFieldProps(props)}>
        <Textarea
          resize="vertical"
          rows={2}
          value={value}
          textarea={{ dir: 'auto', maxLength: 4_000 }}
          onChange={(_, { value: text }) => set(text)}
        />
      </Field>
    )
  const isDate = question.type === 'date'
  return (
    <Field {...toFieldProps(props)} {...(isDate || props.error ? {} : { hint: 'Type the full name to sign' })}>
      <Input
        className={isDate ? styles.date : styles.signature}
        type={isDate ? 'date' : 'text'}
        autoComplete="off"
        maxLength={isDate ? undefined : 200}
        value={value}
        onChange={(_, { value: text }) => set(text)}
        onBlur={onCheck}
      />
    </Field>
  )
}

/** Input of a number with its unit. The text stays as it is typed: "1." is on the way to "1.5". */
function NumberField(props: QuestionFieldProps) {
  const styles = useStyles()
  const { question, answer, onAnswer, onCheck } = props
  const [text, setText] = useState(answer === undefined ? '' : String(answer))
  return (
    <Field {...toFieldProps(props)}>
      <Input
        className={styles.number}
        inputMode="decimal"
        autoComplete="off"
        maxLength={40}
        contentAfter={question.unit}
        value={text}
        onChange={(_, { value }) => {
          setText(value)
          onAnswer(value.trim() === '' ? undefined : parseNumber(value))
        }}
        onBlur={onCheck}
      />
    </Field>
  )
}

const yesNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** Returns the answer that an option stands for. */
function toAnswer({ type }: Question, value: string): Answer {
  if (type === 'yes-no') return value === 'true'
  return type === 'scale' ? Number(value) : value
}

/** Radio buttons of a choice, a scale, or yes and no. */
function ChoiceField(props: QuestionFieldProps) {
  const styles = useStyles()
  const { question, answer, onAnswer } = props
  const options = question.type === 'yes-no' ? yesNo : (question.options ?? [])
  return (
    <Field {...toFieldProps(props)}>
      <RadioGroup
        layout={question.type === 'choice' ? 'vertical' : 'horizontal'}
        className={mergeClasses(
          question.type !== 'choice' && styles.options,
          question.type === 'scale' && styles.scale,
        )}
        value={answer === undefined ? '' : String(answer)}
        onChange={(_, { value }) => onAnswer(toAnswer(question, value))}
      >
        {options.map(({ value, label }) => (
          <Radio key={value} value={value} label={label} />
        ))}
      </RadioGroup>
    </Field>
  )
}

/** Button that removes the answer of an optional choice: a radio button cannot be unchecked. */
function ClearButton({ question: { label, required }, answer, onAnswer }: QuestionFieldProps) {
  if (required || answer === undefined) return null
  return (
    <Button
      size="small"
      appearance="transparent"
      aria-label={`Clear the answer to ${label}`}
      onClick={({ currentTarget }) => {
        keepFocusBeside(currentTarget)
        onAnswer(undefined)
      }}
    >
      Clear
    </Button>
  )
}

/** List of many choices. */
function SelectField(props: QuestionFieldProps) {
  const { question, answer, onAnswer } = props
  return (
    <Field {...toFieldProps(props)}>
      <Select
        value={answer === undefined ? '' : String(answer)}
        onChange={(_, { value }) => onAnswer(value === '' ? undefined : toAnswer(question, value))}
      >
        <option value="">Not answered</option>
        {(question.options ?? []).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  )
}

/** Checkboxes of several choices. Not in a `Field`, whose `aria-required` a group does not support. */
function SeveralField({ question, answer, error, onAnswer }: QuestionFieldProps) {
  const styles = useStyles()
  const labelId = useId()
  const errorId = useId()
  const chosen = Array.isArray(answer) ? answer : []
  const options = question.options ?? []
  const toggle = (value: string, isChecked: boolean) => {
    // In the order of the options, whatever the order of the clicks.
    const next = options
      .map((option) => option.value)
      .filter((other) => (other === value ? isChecked : chosen.includes(other)))
    onAnswer(next.length === 0 ? undefined : next)
  }
  return (
    <div role="group" aria-labelledby={labelId} aria-describedby={error ? errorId : undefined} className={styles.group}>
      <Label id={labelId} required={question.required ?? false}>
        {question.label}
      </Label>
      <div className={styles.several}>
        {options.map(({ value, label }) => (
          <Checkbox
            key={value}
            label={label}
            checked={chosen.includes(value)}
            onChange={(_, { checked }) => toggle(value, checked === true)}
          />
        ))}
      </div>
      {error && (
        <span id={errorId} role="alert" className={styles.error}>
          <ErrorCircle12Filled aria-hidden />
          {error}
        </span>
      )}
    </div>
  )
}
