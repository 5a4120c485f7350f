import { useQuery, useQueryClient } from '@tanstack/react-query'
import { changeWorkingHours, type WorkingHours } from '#contracts/working-hours.ts'
import { Weekday } from '#contracts/values/working-hours.ts'
import { fetchNewest } from '#web/api/fetch-newest.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { Panel } from '#web/ui/panel.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { SectionForm } from '../sections/section-form.tsx'
import { LoadedSection, SectionForbidden } from '../sections/section-state.tsx'
import { SettingsList } from '../sections/settings-grid.tsx'
import { DayHoursRow } from './day-hours-row.tsx'
import {
  formatDayHours,
  toWeekChange,
  toWeekInput,
  toWeekValues,
  weekdayLabels,
  weekFields,
  type WeekValues,
} from './week-form.ts'
import { useUpdateWorkingHours, weekHoursQuery } from './working-hours-api.ts'

/** Opening times and breaks of the practice by weekday. */
export function WorkingHoursSection() {
  const canEdit = useHasPermission('settings')
  return (
    <Panel title="Working hours" note="In the practice's time zone">
      {canEdit ? <Week /> : <SectionForbidden subject="Working hours" />}
    </Panel>
  )
}

function Week() {
  return (
    <LoadedSection
      query={useQuery(weekHoursQuery)}
      subject="Working hours"
      loadingSubject="the working hours"
      rows={Weekday.options.length}
    >
      {(hours) => <WeekForm hours={hours} />}
    </LoadedSection>
  )
}

function WeekForm({ hours }: { hours: WorkingHours }) {
  const queries = useQueryClient()
  const change = useUpdateWorkingHours()
  const form = useConflictForm<WorkingHours, WeekValues, Weekday, ReturnType<typeof toWeekChange>>({
    base: hours,
    fields: weekFields,
    toValues: toWeekValues,
    toInput: toWeekInput,
    format: (record, weekday) => formatDayHours(record.hours[weekday]),
    schema: changeWorkingHours.body,
    toChange: toWeekChange,
    save: ({ hours: changed }, { revision }) =>
      change.mutateAsync({
        hours: changed as Parameters<typeof change.mutateAsync>[0]['hours'],
        revision,
      }),
    reload: () => fetchNewest(queries, weekHoursQuery),
    saved: 'Working hours saved',
    failed: 'Failed to save the working hours',
  })
  return (
    <SectionForm form={form} labels={weekdayLabels} subject="the working hours" action="Save working hours">
      <SettingsList label="Working hours">
        {Weekday.options.map((weekday) => (
          <DayHoursRow key={weekday} form={form} weekday={weekday} />
        ))}
      </SettingsList>
      <SecondaryText as="p">
        {form.base.revision === null
          ? 'These are the usual hours. Once you save your own, booking outside of them asks first.'
          : 'Free slots are within these hours. Booking outside of them asks first.'}
      </SecondaryText>
    </SectionForm>
  )
}
