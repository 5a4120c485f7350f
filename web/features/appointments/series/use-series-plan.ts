import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PlannedAppointment } from '#contracts/appointment-series.ts'
import { ApiProblem } from '#web/api/call.ts'
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts'
import {
  type ConflictResolutions,
  noRecurrence,
  parseRecurrence,
  toRecurrenceField,
  type RecurrenceErrors,
  type RecurrenceValues,
} from './recurrence.ts'
import { seriesPreviewQuery } from './series-api.ts'
import type { AppointmentValues } from '../booking/appointment-form.ts'

const none: ConflictResolutions = new Map()

/** What is known of a row of appointments while it is being planned: its dates, who is in the way, what was decided, what is wrong. */
export function useSeriesPlan(values: AppointmentValues) {
  const [repeat, setRepeat] = useState<RecurrenceValues>(noRecurrence)
  const [decided, setDecided] = useState<{ wish: string; decisions: ConflictResolutions }>({
    wish: '',
    decisions: none,
  })
  const [tried, setTried] = useState(false)
  const [held, setHeld] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<{ wish: string; error: ApiProblem } | null>(null)
  const { patientId, providerId, date, time, duration } = values
  const { recurrence, faults } = parseRecurrence(repeat)
  const real = /^20\d\d-\d\d-\d\d$/.test(date) && time !== ''
  const plan =
    recurrence && real && patientId
      ? {
          patientId,
          ...(providerId ? { providerId } : {}),
          appointmentDate: `${date}T${time}`,
          duration: Number(duration),
          recurrence,
        }
      : null
  const wish = JSON.stringify(plan)
  const rested = useDebouncedValue(wish, 200)
  // While it is being booked, and while nobody knows whether it was, its own appointments are not in its way.
  const query = useQuery({
    ...seriesPreviewQuery(JSON.parse(rested) as typeof plan),
    enabled: plan !== null && held !== wish,
  })
  const isNow = rested === wish && plan !== null
  // Another wish: what was decided, or refused, about the last one is no longer about anything.
  const decisions = decided.wish === wish ? decided.decisions : none
  const refused = refusal?.wish === wish ? refusal.error : null
  const problem = refused ?? (isNow && query.error instanceof ApiProblem ? query.error : null)
  const said: RecurrenceErrors = {}
  const aboutDates: string[] = []
  for (const { path, message } of problem?.problem.errors ?? []) {
    const field = toRecurrenceField(path, repeat.ends)
    if (field) said[field] ??= message
    else if (path.startsWith('resolutions')) aboutDates.push(message)
  }
  const appointments: readonly PlannedAppointment[] = isNow && query.data ? query.data : []
  return {
    repeat,
    setRepeat,
    on: repeat.unit !== 'none',
    recurrence,
    plan,
    faults: { ...said, ...(tried || !hasBlankField(repeat) ? faults : {}) } as RecurrenceErrors,
    /** What is wrong with the row as a whole. */
    fault: aboutDates[0] ?? null,
    appointments,
    isPending: plan !== null && (!isNow || query.isPending),
    failure: isNow && query.error && Object.keys(said).length === 0 && aboutDates.length === 0 ? query.error : null,
    retry: () => void query.refetch(),
    decisions,
    decide: (next: ConflictResolutions) => {
      setRefusal(null)
      setDecided({ wish, decisions: next })
    },
    /** Somebody tried to send it: from now on also what is missing is said. */
    tried,
    insist: () => setTried(true),
    /** The plan stays as it is shown, for as long as nothing else is wished. */
    hold: () => query.data && setHeld(wish),
    /** What is in the way is asked anew. */
    release: () => setHeld(null),
    /** Shows what the server said to a row as it is wished now; answers false when it named no part of the repetition. */
    refuse: (error: ApiProblem) => {
      const isOurs = error.problem.errors.some(({ path }) => /^(recurrence|resolutions)/.test(path))
      if (isOurs) setRefusal({ wish, error })
      return isOurs
    },
    /** A time somebody was moved to is taken by now: that has to be decided anew. */
    drop: (indices: readonly number[]) =>
      setDecided({ wish, decisions: new Map([...decisions].filter(([index]) => !indices.includes(index))) }),
  }
}

export type SeriesPlan = ReturnType<typeof useSeriesPlan>

const hasBlankField = ({ every, ends, count, until }: RecurrenceValues) =>
  every.trim() === '' || (ends === 'count' ? count.trim() === '' : until === '')
