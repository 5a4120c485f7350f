import { Field, Radio, RadioGroup, Text } from '@fluentui/react-components'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Control, useController } from 'react-hook-form'
import type { RequestInput } from '#contracts/endpoint.ts'
import { type changePractice, PracticeChange } from '#contracts/practice-settings.ts'
import type { Practice } from '#contracts/practices.ts'
import { sessionTimeouts } from '#contracts/values/session-timeout.ts'
import { fetchNewest } from '#web/api/fetch-newest.ts'
import { refreshCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { describeTextRecord, type TextValues } from '#web/forms/text-form.ts'
import { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { Panel } from '#web/ui/panel.tsx'
import { useUpdatePractice } from '../api.ts'
import { SectionForm } from '../sections/section-form.tsx'
import { LoadedSection } from '../sections/section-state.tsx'

const label = 'Lock when nothing has been touched for'

const formatTimeout = (minutes: number) => (minutes < 60 ? `${minutes} minutes` : minutes === 60 ? '1 hour' : '2 hours')

/** The time after which unattended browsers of the whole practice are locked, and their sessions end. */
export function SessionTimeoutSection({ practiceId }: { practiceId: string }) {
  const query = useQuery(practiceQuery(practiceId))
  const canEdit = useHasPermission('settings')
  return (
    <Panel
      title="Session Timeout"
      note={canEdit ? 'For everyone in the practice' : 'Set by the owner and administrators'}
    >
      <LoadedSection query={query} subject="The session timeout" loadingSubject="the session timeout" rows={1}>
        {(practice) =>
          canEdit ? (
            <TimeoutForm practice={practice} />
          ) : (
            <Text>
              {label} {formatTimeout(practice.sessionTimeout)}
            </Text>
          )
        }
      </LoadedSection>
    </Panel>
  )
}

type PracticeChangeBody = RequestInput<typeof changePractice>['body']

const toValues = ({ sessionTimeout }: Practice): TextValues => ({ sessionTimeout: String(sessionTimeout) })
const toChange = (_: TextValues, { sessionTimeout }: TextValues) => ({ sessionTimeout: Number(sessionTimeout) })

function TimeoutForm({ practice }: { practice: Practice }) {
  const queries = useQueryClient()
  const change = useUpdatePractice()
  const form = useConflictForm({
    ...describeTextRecord(practice, toValues),
    format: (record: Practice) => formatTimeout(record.sessionTimeout),
    schema: PracticeChange,
    toChange,
    save: async (changed: ReturnType<typeof toChange>, { revision }) => {
      const body = { ...changed, revision } as PracticeChangeBody
      const saved = await change.mutateAsync({ params: { practiceId: practice.id }, body })
      // This window, too, measures the time.
      await refreshCurrentUser(queries)
      return saved
    },
    reload: () => fetchNewest(queries, practiceQuery(practice.id)),
    saved: 'Session timeout saved',
    failed: 'Failed to save the session timeout',
  })
  return (
    <SectionForm form={form} labels={{ sessionTimeout: 'Session timeout' }} subject="the timeout" action="Save timeout">
      <TimeoutField control={form.control} />
    </SectionForm>
  )
}

function TimeoutField({ control }: { control: Control<TextValues> }) {
  const { field } = useController({ control, name: 'sessionTimeout' })
  return (
    <Field label={label} hint="Two minutes before, a warning counts down.">
      <RadioGroup layout="horizontal" value={field.value ?? ''} onChange={(_, { value }) => field.onChange(value)}>
        {sessionTimeouts.map((minutes) => (
          <Radio key={minutes} value={String(minutes)} label={formatTimeout(minutes)} />
        ))}
      </RadioGroup>
    </Field>
  )
}
