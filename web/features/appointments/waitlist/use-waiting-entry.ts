import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { freshWaitlistMs, waitlistQuery } from './waitlist-api.ts'
import { waitlistKeys } from './waitlist-keys.ts'
import { findEarlierWish, findWaitingEntry } from './waiting-entry.ts'

/** The choice whether a request takes a patient off the waitlist; `isProposed` until the user chooses. */
function useRemovalChoice(entry: WaitlistEntry | undefined, isProposed: boolean) {
  const queries = useQueryClient()
  const [choice, setChoice] = useState<{ id: string; isRemoved: boolean } | null>(null)
  const isRemoved = entry !== undefined && (choice?.id === entry.id ? choice.isRemoved : isProposed)
  return {
    entry,
    isRemoved,
    setRemoved: (removed: boolean) => entry && setChoice({ id: entry.id, isRemoved: removed }),
    /** The part of the request that takes the patient off the list. */
    body: isRemoved ? { waitlistEntryId: entry.id } : {},
    refresh: () => void queries.invalidateQueries({ queryKey: waitlistKeys.all }),
  }
}

/**
 * Returns the waitlist entry of a patient for whom an appointment is being booked, and whether the booking takes the patient off the
 * list: by default one of the type that the patient waits for.
 */
export function useWaitingEntry(patientId: string | undefined, type: string) {
  const { data = [] } = useQuery({ ...waitlistQuery, enabled: patientId !== undefined, staleTime: freshWaitlistMs })
  const entry = findWaitingEntry(data, patientId, type)
  return useRemovalChoice(entry, entry?.type === type)
}

/** Returns the waitlist entry that asks for an earlier time of an appointment; undefined without one. */
export function useEarlierWish(appointmentId: string): WaitlistEntry | undefined {
  const { data = [] } = useQuery({ ...waitlistQuery, staleTime: freshWaitlistMs })
  return findEarlierWish(data, appointmentId)
}

/** Returns the waitlist entry that a move fulfils, and whether it takes the patient off the list; none unless the new time is earlier. */
export function useFulfilledWish(appointmentId: string, isEarlier: boolean) {
  const entry = useEarlierWish(appointmentId)
  return useRemovalChoice(isEarlier ? entry : undefined, true)
}
