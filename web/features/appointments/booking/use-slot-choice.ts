import { useEffect, useState } from 'react'
import type { FreeSlot } from '#contracts/appointments.ts'
import type { ContractForm } from '#web/forms/use-contract-form.ts'
import type { AppointmentValues } from './appointment-form.ts'

type SlotChoice = {
  form: ContractForm<AppointmentValues>
  values: AppointmentValues
  nextSlot: FreeSlot | undefined
}

/** Sets date and time of the form: to the next free slot until the user chooses one, then to the chosen slot. */
export function useSlotChoice({ form: { setValue, formState }, values, nextSlot }: SlotChoice) {
  const [isFreeTime, setIsFreeTime] = useState(false)
  const isUndecided = values.time === '' && !isFreeTime
  const isDateChosen = Boolean(formState.dirtyFields.date)
  useEffect(() => {
    if (!isUndecided || !nextSlot || (isDateChosen && nextSlot.localDate !== values.date)) return
    setValue('date', nextSlot.localDate)
    setValue('time', nextSlot.localTime)
  }, [isUndecided, nextSlot, isDateChosen, values.date, setValue])
  return {
    /** The time is typed instead of chosen from the thirteen slots. */
    isFreeTime,
    enterFreeTime: () => setIsFreeTime(true),
    chooseSlot: (slot: Pick<FreeSlot, 'localDate' | 'localTime'>) => {
      setIsFreeTime(false)
      setValue('date', slot.localDate, { shouldDirty: true })
      setValue('time', slot.localTime, { shouldDirty: true, shouldValidate: formState.isSubmitted })
    },
  }
}
