import { formatName } from '#web/ui/format.ts'
import { Button, Field, Input, makeStyles, Text, tokens } from '@fluentui/react-components'
import { PeopleSearchRegular } from '@fluentui/react-icons/svg/people-search'
import { type KeyboardEvent, type Ref, useState } from 'react'
import { z } from 'zod'
import { DuplicateCandidate } from '#contracts/patients.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { Notice } from '#web/ui/notice.tsx'
import { PlanNotice, parsePlanRefusal } from '#web/entities/billing/plan-notice.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useRegisterPatient } from '../api.ts'
import { type PickedPatient, formatPickedPatient } from '#web/entities/patients/patient-picker.tsx'

const useStyles = makeStyles({
  box: {
    padding: '12px 16px 16px',
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground2,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '16px',
    rowGap: '12px',
    alignItems: 'start',
    '@media (max-width: 639px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& .fui-Input': { minWidth: 0 },
  },
  failed: { color: tokens.colorStatusDangerForeground1 },
  wide: { gridColumn: '1 / -1' },
  title: { margin: 0, fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold },
  footer: { display: 'flex', justifyContent: 'flex-end', columnGap: '8px' },
})

type Draft = { firstName: string; lastName: string; dateOfBirth: string; phone: string }
const empty = { firstName: '', lastName: '', dateOfBirth: '', phone: '' }

/** Returns the typed search text as the start of a new patient: digits are a phone number, the last word the last name. */
export function parseDraft(typed: string): Draft {
  if (/\d/.test(typed)) return { ...empty, phone: typed }
  const words = typed.split(/\s+/u).filter(Boolean)
  return words.length < 2
    ? { ...empty, firstName: words.join(' ') }
    : { ...empty, firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? '' }
}

const fields: [name: keyof Draft, label: string, type: 'text' | 'date' | 'tel'][] = [
  ['firstName', 'First name', 'text'],
  ['lastName', 'Last name', 'text'],
  ['dateOfBirth', 'Date of birth', 'date'],
  ['phone', 'Phone', 'tel'],
]

function parseDuplicateCandidates(error: unknown): DuplicateCandidate[] {
  if (!(error instanceof ApiProblem) || error.code !== 'possible-duplicate') return []
  return z.array(DuplicateCandidate).safeParse(error.problem['candidates']).data ?? []
}

type NewPatientFormProps = {
  typed: string
  /** Error of the surrounding form, which needs a patient. */
  message?: string | undefined
  /** The first input. */
  inputRef: Ref<HTMLInputElement>
  onAdded: (patient: PickedPatient) => void
  onBack: () => void
}

/** Registers a patient during a booking, with the fields that a first call needs; the record is completed later. */
export function NewPatientForm({ typed, message, inputRef, onAdded, onBack }: NewPatientFormProps) {
  const styles = useStyles()
  const notify = useNotify()
  const register = useRegisterPatient()
  const [draft, setDraft] = useState(() => parseDraft(typed))
  const [isSubmitted, setIsSubmitted] = useState(false)
  const candidates = parseDuplicateCandidates(register.error)
  const refusal = parsePlanRefusal(register.error)

  const getMessage = (name: keyof Draft) => {
    if (isSubmitted && (name === 'firstName' || name === 'lastName') && draft[name].trim() === '')
      return name === 'firstName' ? 'Please enter a first name' : 'Please enter a last name'
    const { error } = register
    return error instanceof ApiProblem ? error.problem.errors.find(({ path }) => path === name)?.message : undefined
  }
  const send = (allowDuplicate: boolean) => {
    setIsSubmitted(true)
    if (register.isPending || draft.firstName.trim() === '' || draft.lastName.trim() === '') return
    const { firstName, lastName, dateOfBirth, phone } = draft
    register.mutate(
      {
        firstName,
        lastName,
        ...(dateOfBirth ? { dateOfBirth } : {}),
        ...(phone.trim() ? { phone } : {}),
        allowDuplicate,
      },
      {
        onSuccess: (patient) => {
          notify({ title: 'Patient added successfully', body: formatName(patient) })
          onAdded(patient)
        },
        onError: (error) => {
          if (parseDuplicateCandidates(error).length === 0)
            notify({ title: 'Failed to add patient', body: errorMessage(error), intent: 'error' })
        },
      },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      // Enter adds the patient and does not submit the surrounding form of the appointment.
      event.preventDefault()
      send(false)
    }
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div className={styles.box} role="group" aria-label="New patient" onKeyDown={onKeyDown}>
      <h3 className={`${styles.title} ${styles.wide}`}>New patient</h3>
      {refusal && <PlanNotice refusal={refusal} className={styles.wide} />}
      {candidates.length > 0 && (
        <DuplicateCandidates candidates={candidates} onChoose={onAdded} onAddAnyway={() => send(true)} />
      )}
      {fields.map(([name, label, type], index) => (
        <Field key={name} label={label} required={index < 2} validationMessage={getMessage(name)}>
          <Input
            ref={index === 0 ? inputRef : undefined}
            type={type}
            autoComplete="off"
            autoFocus={index === (draft.firstName ? (draft.lastName ? 2 : 1) : 0)}
            value={draft[name]}
            onChange={(_, { value }) => setDraft({ ...draft, [name]: value })}
          />
        </Field>
      ))}
      {message && (
        <Text className={`${styles.failed} ${styles.wide}`} role="alert">
          {message}
        </Text>
      )}
      <div className={`${styles.footer} ${styles.wide}`}>
        <Button onClick={onBack} disabledFocusable={register.isPending}>
          Back to search
        </Button>
        <Button appearance="outline" onClick={() => send(false)} disabledFocusable={register.isPending}>
          {register.isPending ? 'Adding...' : 'Add new patient'}
        </Button>
      </div>
    </div>
  )
}

type DuplicateCandidatesProps = {
  candidates: readonly DuplicateCandidate[]
  onChoose: (patient: PickedPatient) => void
  onAddAnyway: () => void
}

function DuplicateCandidates({ candidates, onChoose, onAddAnyway }: DuplicateCandidatesProps) {
  return (
    <Notice
      className={useStyles().wide}
      tone="warning"
      icon={PeopleSearchRegular}
      title="This patient may be registered already"
      role="alert"
      actions={
        <>
          {candidates.map((candidate) => (
            <Button key={candidate.id} size="small" onClick={() => onChoose(candidate)}>
              {formatPickedPatient(candidate)}
            </Button>
          ))}
          <Button size="small" appearance="outline" onClick={onAddAnyway}>
            Add anyway
          </Button>
        </>
      }
    >
      <Text>Choose the record, or add a new one.</Text>
    </Notice>
  )
}
