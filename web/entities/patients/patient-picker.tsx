import { formatName } from '#web/ui/format.ts'
import { Field, Input, makeStyles, Spinner, Text, tokens } from '@fluentui/react-components'
import { PersonAddRegular } from '@fluentui/react-icons/svg/person-add'
import { PersonProhibitedRegular } from '@fluentui/react-icons/svg/person-prohibited'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type Ref, useId, useState } from 'react'
import type { Patient } from '#contracts/patients.ts'
import { formatDate } from '#web/ui/dates.ts'
import { formatPatientHint } from './format-patient-hint.ts'
import { ListboxOption } from '#web/ui/listbox-option.tsx'
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts'
import { useDeferredAction } from '#web/ui/use-deferred-action.ts'
import { PersonAvatar } from '#web/ui/person.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { patientSearchQuery } from './patient-search.ts'

const useStyles = makeStyles({
  root: { position: 'relative' },
  list: {
    position: 'absolute',
    zIndex: 5,
    top: 'calc(100% + 4px)',
    left: 0,
    right: 0,
    maxHeight: '320px',
    overflowY: 'auto',
    padding: '4px',
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    boxShadow: tokens.shadow16,
  },
  option: {
    columnGap: '10px',
    minHeight: '40px',
    padding: '0 10px',
    '@media (max-width: 639px)': { padding: '6px 10px' },
  },
  hint: { display: 'flex', alignItems: 'center', columnGap: '8px' },
  icon: { fontSize: '20px', justifySelf: 'center', color: tokens.colorBrandForeground1 },
  strong: { color: tokens.colorBrandForeground1, fontWeight: tokens.fontWeightSemibold },
})

/** The fields of a patient that a form shows of the chosen one. */
export type PickedPatient = Pick<Patient, 'id' | 'firstName' | 'lastName' | 'dateOfBirth'> &
  Partial<Pick<Patient, 'deceasedOn' | 'insuranceInfo'>>

/** Formats name and date of birth on one line, to tell patients of the same name apart, and marks the dead. */
export const formatPickedPatient = (patient: PickedPatient): string =>
  [formatName(patient), patient.dateOfBirth && formatDate(patient.dateOfBirth), patient.deceasedOn && 'deceased']
    .filter(Boolean)
    .join(', ')

type PatientPickerProps = {
  chosen: PickedPatient | null
  message?: string | undefined
  required?: boolean
  inputRef: Ref<HTMLInputElement>
  onChoose: (patient: PickedPatient | null) => void
  /** Starts a new patient with the typed text; omitted where only existing patients can be chosen. */
  onNew?: (typed: string) => void
}

/** Finds a patient by name, phone number or date of birth; Enter chooses the active option, which is the first result. */
export function PatientPicker(props: PatientPickerProps) {
  const { chosen, message, required = true, inputRef } = props
  const styles = useStyles()
  const listId = useId()
  const picker = usePatientPicker(props)
  const { isOpen, activeIndex } = picker
  return (
    <div
      className={styles.root}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && picker.close()}
    >
      <Field label="Patient" required={required} validationMessage={message}>
        <Input
          autoFocus={!chosen}
          autoComplete="off"
          contentBefore={<SearchRegular />}
          contentAfter={picker.isFetching ? <Spinner size="tiny" aria-label="Searching" /> : null}
          placeholder="Name, phone or date of birth"
          input={{
            ref: inputRef,
            role: 'combobox',
            'aria-expanded': isOpen,
            'aria-controls': isOpen ? listId : undefined,
            'aria-autocomplete': 'list',
            'aria-activedescendant': isOpen ? `${listId}-${activeIndex}` : undefined,
            maxLength: 200,
          }}
          value={chosen ? formatPickedPatient(chosen) : picker.typed}
          onChange={(_, { value }) => picker.type(value)}
          onFocus={({ currentTarget }) => chosen && currentTarget.select()}
          onKeyDown={picker.onKeyDown}
        />
      </Field>
      {isOpen && <PatientOptions id={listId} picker={picker} />}
    </div>
  )
}

/** Searches patients once typing pauses. */
function usePatientSearch(typed: string, isEnabled: boolean) {
  const search = useDebouncedValue(typed, 120)
  const found = useQuery({ ...patientSearchQuery(search), enabled: search !== '' && isEnabled })
  return {
    patients: search === '' ? [] : (found.data ?? []),
    isFetching: found.isFetching,
    /** The results belong to the text as it is typed now. */
    isCurrent: search === typed && !found.isPlaceholderData && !found.isFetching,
  }
}

/** Holds the state of the picker. With `onNew`, the last option, after the patients found, adds a new patient. */
function usePatientPicker({ chosen, onChoose, onNew }: PatientPickerProps) {
  const [typed, setTyped] = useState('')
  const [isListOpen, setIsListOpen] = useState(false)
  const [index, setIndex] = useState(0)
  const search = typed.trim()
  const canSearch = search !== '' && !chosen
  const { patients, isFetching, isCurrent } = usePatientSearch(search, !chosen)
  const optionCount = patients.length + (onNew ? 1 : 0)
  const lastIndex = Math.max(0, optionCount - 1)
  const activeIndex = Math.min(index, lastIndex)
  const isEmpty = isCurrent && patients.length === 0
  const isOpen = isListOpen && canSearch && (optionCount > 0 || isEmpty)

  const accept = (patient: PickedPatient) => {
    setIsListOpen(false)
    onChoose(patient)
  }
  // Enter before the results arrive chooses the first one as soon as they do.
  const earlyEnter = useDeferredAction<'choose'>(isCurrent, () => patients[0] && accept(patients[0]))
  const choose = (patient: PickedPatient) => {
    earlyEnter.cancel()
    accept(patient)
  }
  const addNew = onNew && (() => onNew(search))

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    const { key } = event
    if (key === 'Escape' && isOpen) {
      // Closes the list, not the dialog.
      event.stopPropagation()
      setIsListOpen(false)
    } else if ((key === 'ArrowDown' || key === 'ArrowUp') && canSearch) {
      event.preventDefault()
      setIsListOpen(true)
      const count = lastIndex + 1
      setIndex((activeIndex + (key === 'ArrowDown' ? 1 : count - 1)) % count)
    } else if (key === 'Enter' && canSearch) {
      event.preventDefault()
      const patient = patients[activeIndex]
      if (!isCurrent) earlyEnter.defer('choose')
      else if (patient) choose(patient)
      else addNew?.()
    }
  }

  function type(value: string): void {
    // Editing the text of a chosen patient starts a new search.
    setTyped(chosen ? value.replace(formatPickedPatient(chosen), '') : value)
    if (chosen) onChoose(null)
    setIsListOpen(true)
    earlyEnter.cancel()
    setIndex(0)
  }

  return {
    typed,
    type,
    patients,
    isFetching,
    isEmpty,
    isOpen,
    close: () => setIsListOpen(false),
    activeIndex,
    lastIndex,
    setIndex,
    choose,
    addNew,
    onKeyDown,
  }
}

function PatientOptions({ id, picker }: { id: string; picker: ReturnType<typeof usePatientPicker> }) {
  const styles = useStyles()
  const getOptionProps = (index: number) => ({
    id: `${id}-${index}`,
    isActive: index === picker.activeIndex,
    className: styles.option,
    onActivate: () => picker.setIndex(index),
  })
  return (
    // A scrollable element is a tab stop otherwise.
    <div id={id} role="listbox" tabIndex={-1} aria-label="Patients" className={styles.list}>
      {picker.patients.map((patient, index) => (
        <ListboxOption key={patient.id} {...getOptionProps(index)} onChoose={() => picker.choose(patient)}>
          <PersonAvatar name={formatName(patient)} size={28} />
          <Text truncate wrap={false} dir="auto">
            {formatName(patient)}
          </Text>
          <span className={styles.hint}>
            <SecondaryText>{formatPatientHint(patient)}</SecondaryText>
            {patient.deceasedOn && <StatusBadge status="deceased" plain />}
          </span>
        </ListboxOption>
      ))}
      {picker.addNew ? (
        <ListboxOption {...getOptionProps(picker.lastIndex)} onChoose={picker.addNew}>
          <PersonAddRegular className={styles.icon} aria-hidden />
          <Text className={styles.strong}>Add new patient</Text>
          {picker.isEmpty && <SecondaryText>No patient found</SecondaryText>}
        </ListboxOption>
      ) : (
        picker.isEmpty && (
          <ListboxOption {...getOptionProps(0)} onChoose={picker.close}>
            <PersonProhibitedRegular className={styles.icon} aria-hidden />
            <SecondaryText>No patient found</SecondaryText>
          </ListboxOption>
        )
      )}
    </div>
  )
}
