import { formatName } from '#web/ui/format.ts'
import { Text } from '@fluentui/react-components'
import { useState } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { AddProviderDialog } from '#web/entities/providers/provider-dialog.tsx'
import { ConflictNotice } from '#web/entities/practices/conflict-notice.tsx'
import { EditDialog } from '#web/forms/edit-dialog.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { appointmentQuery } from '#web/entities/appointments/appointment-query.ts'
import { fieldLabels } from '../labels.ts'
import type { SchedulingContext } from '../scheduling-context.ts'
import type { PartialSeriesChange } from '../series/partial-series-dialog.tsx'
import { SeriesConflicts } from '../series/series-conflicts.tsx'
import { SeriesMovePreview } from '../series/series-move-preview.tsx'
import { SeriesScopeField } from '../series/series-scope-field.tsx'
import { WaitingChoice } from '../waitlist/waiting-choice.tsx'
import { AppointmentFields } from './appointment-fields.tsx'
import { ConfirmNotice } from './confirm-notice.tsx'
import { RequestedSlotNotice } from './requested-slot-notice.tsx'
import { type AppointmentEditState, useAppointmentEdit } from './use-appointment-edit.ts'

type EditAppointmentDialogProps = {
  context: SchedulingContext
  appointmentId: string
  onClose: () => void
  /** Called when only some appointments of a series were changed. */
  onPartialChange: (partial: PartialSeriesChange) => void
}

/** Edits an appointment. */
export function EditAppointmentDialog({ appointmentId, ...formProps }: EditAppointmentDialogProps) {
  return (
    <EditDialog
      title="Edit Appointment"
      loadingLabel="Loading the appointment"
      query={appointmentQuery(appointmentId)}
      renderError={(error, retry) => (
        <ErrorState title="Failed to fetch appointment" hint={errorMessage(error)} onRetry={retry} />
      )}
      onClose={formProps.onClose}
    >
      {(appointment) => <EditForm {...formProps} start={appointment} />}
    </EditDialog>
  )
}

type EditFormProps = Omit<EditAppointmentDialogProps, 'appointmentId'> & { start: Appointment }

function EditForm({ context, start, onClose, onPartialChange }: EditFormProps) {
  const edit = useAppointmentEdit({ context, start, onClose, onPartialChange })
  const { form } = edit
  const [isAddingProvider, setIsAddingProvider] = useState(false)
  return (
    <>
      <FormDialog
        title={`Edit appointment of ${formatName(start.patient)}`}
        action="Save Changes"
        pendingAction="Saving..."
        pending={edit.isPending}
        dirty={form.formState.isDirty}
        signedOut={form.signedOut}
        onSubmit={edit.submit(false)}
        onClose={onClose}
      >
        {form.conflict && (
          <ConflictNotice key={form.conflict.id} {...form.conflict} labels={fieldLabels} subject="this appointment" />
        )}
        <AppointmentFields
          control={form.control}
          existing
          providers={context.allProviders.filter(({ id, active }) => active || id === start.providerId)}
          canAddProvider={context.canAddProvider}
          onAddProvider={() => setIsAddingProvider(true)}
          daySlots={edit.availability.slots}
          dayNote={edit.availability.dayNote}
          getTakenUntil={edit.availability.getTakenUntil}
          isFreeTime={edit.isFreeTime}
          onFreeTime={edit.enterFreeTime}
          patient={<Text weight="semibold">{formatName(start.patient)}</Text>}
          waitlist={
            edit.waiting.entry && (
              <WaitingChoice
                entry={edit.waiting.entry}
                zone={context.timeZone}
                isRemoved={edit.waiting.isRemoved}
                onChange={edit.waiting.setRemoved}
              />
            )
          }
          scope={start.seriesId && <EditScope context={context} start={start} edit={edit} />}
          slots={<EditConflicts context={context} start={start} edit={edit} />}
        />
      </FormDialog>
      {isAddingProvider && (
        <AddProviderDialog
          onClose={() => setIsAddingProvider(false)}
          onAdded={({ id }) => {
            setIsAddingProvider(false)
            form.setValue('providerId', id, { shouldDirty: true })
          }}
        />
      )}
    </>
  )
}

type EditPartProps = { context: SchedulingContext; edit: AppointmentEditState }

function EditScope({ context, start, edit: { series, form, values } }: EditPartProps & { start: Appointment }) {
  return (
    <>
      <SeriesScopeField
        appointment={start}
        now={context.now}
        label="Which appointments to change?"
        scope={series.scope}
        onScope={(scope) => {
          series.setScope(scope)
          form.clearErrors('status')
        }}
      />
      <SeriesMovePreview
        appointment={form.base}
        scope={series.scope}
        now={context.now}
        to={{ date: values.date, time: values.time }}
        zone={context.timeZone}
      />
    </>
  )
}

/** The question to confirm, or the appointments that conflict with the edit: of the whole series, or of the slot in the form. */
function EditConflicts({ context, start, edit }: EditPartProps & { start: Appointment }) {
  const { series, refusedSlot, conflicts, confirmation } = edit
  const { question } = confirmation
  if (question)
    return (
      <ConfirmNotice
        concerns={question.concerns}
        patientName={formatName(start.patient)}
        zone={context.timeZone}
        confirmLabel="Save anyway"
        pending={edit.isPending}
        onConfirm={() => {
          confirmation.accept(question)
          void edit.submit(question.allowOverlap)()
        }}
      />
    )
  if (series.conflicts)
    return (
      <SeriesConflicts
        conflicts={series.conflicts}
        zone={context.timeZone}
        pending={series.isPending}
        overlapLabel="Save anyway"
        onOverlap={() => void edit.submit(true)()}
      />
    )
  if (series.scope !== 'this' || (!refusedSlot && conflicts.length === 0)) return null
  return (
    <RequestedSlotNotice
      context={context}
      values={edit.values}
      refusedSlot={refusedSlot}
      conflicts={conflicts}
      nearestSlots={edit.availability.nearestSlots}
      refusedText="Nothing was changed."
      overlapLabel="Save anyway"
      pending={edit.isPending}
      onChoose={edit.chooseSlot}
      onOverlap={() => void edit.submit(true)()}
    />
  )
}
