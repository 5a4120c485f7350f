import { Button, makeStyles } from '@fluentui/react-components'
import { CalendarAddRegular } from '@fluentui/react-icons/svg/calendar-add'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Patient } from '#contracts/patients.ts'
import { errorMessage } from '#web/api/call.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { appointmentQuery } from '#web/entities/appointments/appointment-query.ts'
import { createBlankValues } from '../booking/appointment-form.ts'
import { type ScheduleDialog, ScheduleDialogs } from '../calendar/schedule-dialogs.tsx'
import type { SchedulingContext } from '../scheduling-context.ts'
import { useDefaultProviderId } from '../use-default-provider.ts'
import { useSchedulingContext } from '../use-scheduling-context.ts'
import { DeceasedNotice } from './deceased-notice.tsx'
import { AppointmentListSkeleton, PatientAppointmentList } from './patient-appointment-list.tsx'

const useStyles = makeStyles({
  root: { display: 'grid', rowGap: '12px', gridTemplateColumns: 'minmax(0, 1fr)' },
  book: { justifySelf: 'start' },
})

type PatientAppointmentsProps = { patient: Patient }

/** The coming and past appointments of a patient, with booking, moving and cancelling. */
export function PatientAppointments({ patient }: PatientAppointmentsProps) {
  const { context, error, retry } = useSchedulingContext(patient.practiceId)
  if (context) return <LoadedAppointments key={patient.id} patient={patient} context={context} />
  if (error)
    return <ErrorState isCompact title="Failed to fetch appointments" hint={errorMessage(error)} onRetry={retry} />
  return <AppointmentListSkeleton />
}

function LoadedAppointments({ patient, context }: PatientAppointmentsProps & { context: SchedulingContext }) {
  const styles = useStyles()
  const [dialog, setDialog] = useState<ScheduleDialog>(null)
  const providerId = useDefaultProviderId(context, undefined)
  const { type, duration, reason, notes } = createBlankValues()
  const book = () =>
    setDialog({
      dialog: 'book',
      date: context.today,
      time: undefined,
      providerId,
      prefill: { patient, type, duration, reason, notes },
    })
  // The lists show one page each: an appointment that was completed may be on another one.
  const openedId = dialog?.dialog === 'details' ? dialog.appointment.id : null
  const opened = useQuery({ ...appointmentQuery(openedId ?? ''), enabled: openedId !== null })
  const list = { patientId: patient.id, context, onOpen: setDialog }
  return (
    <div className={styles.root}>
      <DeceasedNotice patient={patient} />
      <PatientAppointmentList {...list} title="Coming" period="upcoming" emptyText="Nothing booked" />
      <Button className={styles.book} icon={<CalendarAddRegular />} onClick={book}>
        Book appointment
      </Button>
      <PatientAppointmentList {...list} title="Past and cancelled" period="past" emptyText="None yet" />
      <ScheduleDialogs
        context={context}
        dialog={dialog}
        appointments={opened.data ? [opened.data] : []}
        onOpen={setDialog}
        onDate={() => undefined}
      />
    </div>
  )
}
