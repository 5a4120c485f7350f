import { Field, Input, makeStyles, mergeClasses, Spinner, Text, tokens } from '@fluentui/react-components'
import { PersonAddRegular, SearchRegular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type Ref, useEffect, useId, useState } from 'react'
import type { Patient } from '#contracts/patients.ts'
import { formatDate } from '#web/ui/dates.ts'
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts'
import { PersonAvatar } from '#web/ui/person.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { patientSearchQuery } from '../api.ts'
import { formatName } from '../labels.ts'

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
    display: 'grid',
    gridTemplateColumns: '28px minmax(0, 1fr) auto',
    alignItems: 'center',
    columnGap: '10px',
    minHeight: '40px',
    padding: '0 10px',
    borderRadius: tokens.borderRadiusMedium,
    cursor: 'pointer',
  },
  here: { backgroundColor: tokens.colorNeutralBackground1Selected },
  icon: { fontSize: '20px', justifySelf: 'center', color: tokens.colorBrandForeground1 },
  strong: { color: tokens.colorBrandForeground1, fontWeight: tokens.fontWeightSemibold },
})

/** Who was chosen. */
export type PickedPatient = Pick<Patient, 'id' | 'firstName' | 'lastName' | 'dateOfBirth'>

/** What tells two of one name apart, on one line. */
export const formatPickedPatient = (patient: PickedPatient): string =>
  [formatName(patient), patient.dateOfBirth && formatDate(patient.dateOfBirth)].filter(Boolean).join(', ')

type PatientPickerProps = {
  chosen: PickedPatient | null
  message?: string | undefined
  field: Ref<HTMLInputElement>
  onChoose: (patient: PickedPatient | null) => void
  /** Somebody who is not in the list yet, with what was typed. */
  onNew: (typed: string) => void
}

/** Finds a patient by typing a name, a phone number or a date of birth; Enter takes the one that stands first. */
export function PatientPicker({ chosen, message, field, onChoose, onNew }: PatientPickerProps) {
  const styles = useStyles()
  const list = useId()
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const [at, move] = useState(0)
  // Enter that was pressed before the answer was there takes the first when it is.
  const [eager, setEager] = useState(false)
  const search = useDebouncedValue(typed.trim(), 120)
  const found = useQuery({ ...patientSearchQuery(search), enabled: search !== '' && !chosen })
  const current = search === typed.trim() && !found.isPlaceholderData && !found.isFetching
  const patients = search === '' ? [] : (found.data ?? [])
  const shown = open && !chosen && typed.trim() !== ''
  const last = patients.length
  const here = Math.min(at, last)

  const choose = (patient: PickedPatient) => {
    setEager(false)
    setOpen(false)
    onChoose(patient)
  }
  const take = (index: number) => {
    const patient = patients[index]
    if (patient) choose(patient)
    else onNew(typed.trim())
  }
  const first = patients[0]
  useEffect(() => {
    if (!eager || !current) return
    setEager(false)
    if (first) choose(first)
    // Only when the answer comes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [eager, current, first])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && shown) {
      // Closes the list alone, not the dialog.
      event.stopPropagation()
      setOpen(false)
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && typed.trim() !== '' && !chosen) {
      event.preventDefault()
      setOpen(true)
      move((here + (event.key === 'ArrowDown' ? 1 : last) + last + 1) % (last + 1))
    } else if (event.key === 'Enter' && !chosen && typed.trim() !== '') {
      event.preventDefault()
      if (current) take(here)
      else setEager(true)
    }
  }

  return (
    <div
      className={styles.root}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setOpen(false)}
    >
      <Field label="Patient" required validationMessage={message}>
        <Input
          autoFocus
          autoComplete="off"
          contentBefore={<SearchRegular />}
          contentAfter={found.isFetching ? <Spinner size="tiny" aria-label="Searching" /> : null}
          placeholder="Name, phone or date of birth"
          input={{
            ref: field,
            role: 'combobox',
            'aria-expanded': shown,
            'aria-controls': shown ? list : undefined,
            'aria-autocomplete': 'list',
            'aria-activedescendant': shown ? `${list}-${here}` : undefined,
            maxLength: 200,
          }}
          value={chosen ? formatPickedPatient(chosen) : typed}
          onChange={(_, { value }) => {
            // Changing the words of a chosen patient begins a new search.
            setTyped(chosen ? value.replace(formatPickedPatient(chosen), '') : value)
            if (chosen) onChoose(null)
            setOpen(true)
            setEager(false)
            move(0)
          }}
          onFocus={({ currentTarget }) => chosen && currentTarget.select()}
          onKeyDown={onKeyDown}
        />
      </Field>
      {shown && (
        <div id={list} role="listbox" aria-label="Patients" className={styles.list}>
          {patients.map((patient, index) => (
            // Keys are handled where the focus is: in the field above (aria-activedescendant).
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={patient.id}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === here}
              className={mergeClasses(styles.option, index === here && styles.here)}
              onMouseMove={() => move(index)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(patient)}
            >
              <PersonAvatar name={formatName(patient)} size={28} />
              <Text truncate wrap={false} dir="auto">
                {formatName(patient)}
              </Text>
              <SecondaryText>
                {[patient.dateOfBirth && formatDate(patient.dateOfBirth), patient.phoneNational]
                  .filter(Boolean)
                  .join(', ')}
              </SecondaryText>
            </div>
          ))}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
          <div
            id={`${list}-${last}`}
            role="option"
            tabIndex={-1}
            aria-selected={here === last}
            className={mergeClasses(styles.option, here === last && styles.here)}
            onMouseMove={() => move(last)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onNew(typed.trim())}
          >
            <PersonAddRegular className={styles.icon} aria-hidden />
            <Text className={styles.strong}>Add new patient</Text>
            {current && patients.length === 0 && <SecondaryText>Nobody found</SecondaryText>}
          </div>
        </div>
      )}
    </div>
  )
}
