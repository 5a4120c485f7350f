import { useEffect, useRef, useState } from 'react'
import type { FreeSlot } from '#contracts/appointments.ts'
import type { ContractForm } from '#web/forms/use-contract-form.ts'
import type { AppointmentValues } from './appointment-form.ts'

type SlotChoice = {
  form: ContractForm<AppointmentValues>
  values: AppointmentValues
  nextSlot: FreeSlot | undefined
}

/**
 * Sets date and time of the form: to the next free slot until the user chooses one, then to the chosen slot. With another
 * duration, another slot is the next one.
 */
export function useSlotChoice({ form: { setValue, formState }, values, nextSlot }: SlotChoice) {
  const [isFreeTime, setIsFreeTime] = useState(false)
  const proposed = useRef({ date: '', time: '', duration: '' })
  const { date, time, duration } = values
  const { date: isDateChosen = false, time: isTimeChosen = false } = formState.dirtyFields
  useEffect(() => {
    const isProposed = !isTimeChosen && proposed.current.time === time && proposed.current.date === date
    const isUndecided = time === '' || (isProposed && proposed.current.duration !== duration)
    if (!isUndecided || isFreeTime || !nextSlot || (isDateChosen && nextSlot.localDate !== date)) return
    proposed.current = { date: nextSlot.localDate, time: nextSlot.localTime, duration }
    setValue('date', nextSlot.localDate)
    setValue('time', nextSlot.localTime)
  }, [date, time, duration, nextSlot, isFreeTime, isDateChosen, isTimeChosen, setValue])
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
