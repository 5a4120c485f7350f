import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { waitlistQuery } from './waitlist-api.ts'
import { waitlistKeys } from './waitlist-keys.ts'
import { findWaitingEntry } from './waiting-entry.ts'

/** Live updates say when the list changes. */
const freshMs = 60_000

/**
 * Returns the waitlist entry of a patient for whom an appointment is being booked, and whether the booking takes the patient off the
 * list: by default one of the type that the patient waits for.
 */
export function useWaitingEntry(patientId: string | undefined, type: string) {
  const queries = useQueryClient()
  const { data = [] } = useQuery({ ...waitlistQuery, enabled: patientId !== undefined, staleTime: freshMs })
  const [choice, setChoice] = useState<{ id: string; isRemoved: boolean } | null>(null)
  const entry = findWaitingEntry(data, patientId, type)
  const isRemoved = entry !== undefined && (choice?.id === entry.id ? choice.isRemoved : entry.type === type)
  return {
    entry,
    isRemoved,
    setRemoved: (removed: boolean) => entry && setChoice({ id: entry.id, isRemoved: removed }),
    /** The part of the request that takes the patient off the list. */
    body: isRemoved ? { waitlistEntryId: entry.id } : {},
    refresh: () => void queries.invalidateQueries({ queryKey: waitlistKeys.all }),
  }
}
