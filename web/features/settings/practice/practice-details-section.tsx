import { Field, makeStyles, Text } from '@fluentui/react-components'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Control, useController } from 'react-hook-form'
import type { RequestInput } from '#contracts/endpoint.ts'
import { type changePractice, PracticeChange } from '#contracts/practice-settings.ts'
import type { Practice } from '#contracts/practices.ts'
import { fetchNewest } from '#web/api/fetch-newest.ts'
import { formatTimeZone } from '#web/entities/practices/format-time-zone.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { SpecialtyPicker } from '#web/entities/practices/specialty-picker.tsx'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { describeTextRecord, pickChangedTexts, type TextValues } from '#web/forms/text-form.ts'
import { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { Panel } from '#web/ui/panel.tsx'
import { TextField } from '#web/forms/text-field.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useUpdatePractice } from '../api.ts'
import { SectionForm } from '../sections/section-form.tsx'
import { LoadedSection } from '../sections/section-state.tsx'
import { SettingsFields } from '../sections/settings-grid.tsx'
import { TimeZoneDialog } from './time-zone-dialog.tsx'
import { TimeZoneField } from './time-zone-field.tsx'

const useStyles = makeStyles({
  detail: { display: 'grid', rowGap: '2px' },
  value: { margin: 0, overflowWrap: 'anywhere' },
})

const fieldLabels = {
  name: 'Practice name',
  address: 'Address',
  phone: 'Phone',
  email: 'Email',
  npi: 'NPI',
  website: 'Website',
  specialties: 'Specialties',
  taxId: 'Tax ID',
  timezone: 'Time zone',
}

type PracticeChangeBody = RequestInput<typeof changePractice>['body']

const textFields = [
  { name: 'name', className: 'wide', autoComplete: 'organization', required: true },
  { name: 'address', className: 'wide', autoComplete: 'street-address', required: true },
  { name: 'phone', type: 'tel', autoComplete: 'tel', required: true },
  { name: 'email', type: 'email', autoComplete: 'email', required: true },
  { name: 'npi', inputMode: 'numeric', autoComplete: 'off' },
  { name: 'taxId', autoComplete: 'off' },
  { name: 'website', className: 'wide', type: 'url', placeholder: 'https://', autoComplete: 'url' },
] as const

/** Details of the practice: name, contact, specialties and time zone. */
export function PracticeDetailsSection({ practiceId }: { practiceId: string }) {
  const query = useQuery(practiceQuery(practiceId))
  const canEdit = useHasPermission('settings')
  const Content = canEdit ? DetailsForm : ReadOnlyDetails
  return (
    <Panel
      title="Practice"
      note={canEdit ? 'On reminders, forms and invoices' : 'Only the owner and administrators can change it'}
    >
      <LoadedSection query={query} subject="The practice" loadingSubject="the practice" rows={4}>
        {(practice) => <Content practice={practice} />}
      </LoadedSection>
    </Panel>
  )
}

function ReadOnlyDetails({ practice }: { practice: Practice }) {
  const styles = useStyles()
  const values = { ...toValues(practice), timezone: formatTimeZone(practice.timezone) }
  const facts = Object.entries(fieldLabels).map(
    ([field, label]) => [label, values[field as keyof typeof values]] as const,
  )
  return (
    <SettingsFields as="dl">
      {facts.map(([label, value]) => (
        <div key={label} className={styles.detail}>
          <dt>
            <SecondaryText>{label}</SecondaryText>
          </dt>
          <dd className={styles.value}>
            <Text>{value || 'Not provided'}</Text>
          </dd>
        </div>
      ))}
    </SettingsFields>
  )
}

/** No specialty contains a comma. */
const specialtySeparator = ', '

const toValues = (practice: Practice): TextValues => ({
  name: practice.name,
  address: practice.address,
  phone: practice.phone,
  email: practice.email,
  npi: practice.npi ?? '',
  website: practice.website ?? '',
  specialties: practice.specialties.join(specialtySeparator),
  taxId: practice.taxId ?? '',
  timezone: practice.timezone,
})

const splitSpecialties = (text: string) => (text === '' ? [] : text.split(specialtySeparator))

/** Returns the changed fields as the contract expects them. */
function toChange(before: TextValues, after: TextValues) {
  const { specialties, ...texts } = pickChangedTexts(before, after)
  return { ...texts, ...(specialties === undefined ? {} : { specialties: splitSpecialties(specialties) }) }
}

type ZoneQuestion = { timeZone: string; answer: (isConfirmed: boolean) => void }

function DetailsForm({ practice }: { practice: Practice }) {
  const queries = useQueryClient()
  const change = useUpdatePractice()
  const [zoneQuestion, setZoneQuestion] = useState<ZoneQuestion | null>(null)
  const params = { practiceId: practice.id }
  const confirmZone = (timeZone: string) =>
    new Promise<boolean>((resolve) => {
      const answer = (isConfirmed: boolean) => {
        setZoneQuestion(null)
        resolve(isConfirmed)
      }
      setZoneQuestion({ timeZone, answer })
    })
  const form = useConflictForm({
    ...describeTextRecord(practice, toValues),
    format: (record: Practice, field: string) =>
      field === 'timezone' ? formatTimeZone(record.timezone) : (toValues(record)[field] ?? ''),
    schema: PracticeChange,
    toChange,
    save: async (changed: ReturnType<typeof toChange>, { revision, timezone: before }, { timezone = before }) => {
      if (timezone !== before && !(await confirmZone(timezone))) return null
      return await change.mutateAsync({ params, body: { ...changed, revision } as PracticeChangeBody })
    },
    reload: () => fetchNewest(queries, practiceQuery(practice.id)),
    saved: 'Practice settings saved',
    failed: 'Failed to save practice settings',
  })
  const { control } = form
  return (
    <>
      <SectionForm form={form} labels={fieldLabels} subject="the practice" action="Save practice">
        <SettingsFields>
          {textFields.map(({ name, ...input }) => (
            <TextField key={name} size="medium" control={control} name={name} label={fieldLabels[name]} {...input} />
          ))}
          <SpecialtiesField control={control} />
          <TimeZoneField control={control} name="timezone" label={fieldLabels.timezone} />
        </SettingsFields>
      </SectionForm>
      {zoneQuestion && (
        <TimeZoneDialog
          practiceId={practice.id}
          timeZone={zoneQuestion.timeZone}
          onConfirm={() => zoneQuestion.answer(true)}
          onCancel={() => zoneQuestion.answer(false)}
        />
      )}
    </>
  )
}

function SpecialtiesField({ control }: { control: Control<TextValues> }) {
  const { field, fieldState } = useController({ control, name: 'specialties' })
  return (
    <Field label={fieldLabels.specialties} className="wide" required validationMessage={fieldState.error?.message}>
      <SpecialtyPicker
        size="medium"
        chosen={splitSpecialties(field.value ?? '')}
        onChoose={(chosen) => field.onChange(chosen.join(specialtySeparator))}
        focusRef={field.ref}
      />
    </Field>
  )
}
