import { useRef } from 'react'
import type { UseFormSetValue } from 'react-hook-form'
import type { AppointmentType } from '#contracts/values/appointments.ts'
import { useAppointmentTypes } from '#web/entities/appointments/use-appointment-types.ts'
import type { AppointmentValues } from './appointment-form.ts'

/** Sets the duration that the practice has set for the chosen type, until the user chooses a duration. */
export function useProposedDuration(setValue: UseFormSetValue<AppointmentValues>, start: AppointmentValues) {
  const types = useAppointmentTypes()
  // A form that starts with a type has the duration of the appointment in whose place it books.
  const isChosen = useRef(start.type !== '')
  return {
    handleType: (type: string) => {
      const duration = types?.[type as AppointmentType]?.duration
      if (duration !== undefined && !isChosen.current) setValue('duration', String(duration), { shouldDirty: true })
    },
    handleDuration: () => {
      isChosen.current = true
    },
  }
}
