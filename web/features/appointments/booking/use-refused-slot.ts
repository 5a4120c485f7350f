import { useState } from 'react'
import type { SlotTaken } from '#contracts/appointments.ts'
import { type AppointmentValues, getSlotKey, parseSlotTaken } from './appointment-form.ts'

/** Keeps the server's refusal of a slot for as long as the form asks for that slot. */
export function useRefusedSlot(values: AppointmentValues) {
  const [refusal, setRefusal] = useState<{ key: string; slot: SlotTaken } | null>(null)
  return {
    refusedSlot: refusal?.key === getSlotKey(values) ? refusal.slot : null,
    /** Records an error as the newest refusal; returns false when the slot was not the reason. */
    recordRefusal: (error: unknown, typed: AppointmentValues): boolean => {
      const slot = parseSlotTaken(error)
      setRefusal(slot && { key: getSlotKey(typed), slot })
      return slot !== null
    },
  }
}
