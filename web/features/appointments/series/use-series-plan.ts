import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PlannedAppointment, Recurrence } from '#contracts/appointment-series.ts'
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

const noResolutions: ConflictResolutions = new Map()

/** Returns the request for a preview; null while patient, date or time is missing or the recurrence is invalid. */
function toPreview(values: AppointmentValues, recurrence: Recurrence | null) {
  const { patientId, providerId, date, time, duration } = values
  const isDated = /^20\d\d-\d\d-\d\d$/.test(date) && time !== ''
  if (!recurrence || !isDated || !patientId) return null
  return {
    patientId,
    ...(providerId ? { providerId } : {}),
    appointmentDate: `${date}T${time}`,
    duration: Number(duration),
    recurrence,
  }
}

const hasBlankField = ({ every, ends, count, until }: RecurrenceValues) =>
  every.trim() === '' || (ends === 'count' ? count.trim() === '' : until === '')

/** Splits the errors of a problem into those of the recurrence's inputs and those of its dates. */
function splitErrors(problem: ApiProblem | null, ends: RecurrenceValues['ends']) {
  const fieldErrors: RecurrenceErrors = {}
  const dateErrors: string[] = []
  for (const { path, message } of problem?.problem.errors ?? []) {
    const field = toRecurrenceField(path, ends)
    if (field) fieldErrors[field] ??= message
    else if (path.startsWith('resolutions')) dateErrors.push(message)
  }
  return { fieldErrors, dateErrors }
}

/** Fetches the preview of a series once typing pauses; `isPaused` keeps the last one on screen. */
function useSeriesPreview(preview: ReturnType<typeof toPreview>, isPaused: boolean) {
  const key = JSON.stringify(preview)
  const debouncedKey = useDebouncedValue(key, 200)
  const query = useQuery({
    ...seriesPreviewQuery(JSON.parse(debouncedKey) as typeof preview),
    enabled: preview !== null && !isPaused,
  })
  const isCurrent = debouncedKey === key && preview !== null
  return {
    appointments: (isCurrent && query.data ? query.data : []) as readonly PlannedAppointment[],
    error: isCurrent ? query.error : null,
    isPending: preview !== null && (!isCurrent || query.isPending),
    hasData: query.data !== undefined,
    retry: () => void query.refetch(),
  }
}

/**
 * Holds the plan of a series: its recurrence, its dates with conflicts, how they are resolved, and errors. Resolutions and
 * refusals are dropped as soon as anything else is requested.
 */
export function useSeriesPlan(values: AppointmentValues) {
  const [repeat, setRepeat] = useState<RecurrenceValues>(noRecurrence)
  const [resolved, setResolved] = useState({ key: '', resolutions: noResolutions })
  const [isSubmitted, setIsSubmitted] = useState(false)
  const [pausedKey, setPausedKey] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<{ key: string; error: ApiProblem } | null>(null)
  const { recurrence, errors } = parseRecurrence(repeat)
  const request = toPreview(values, recurrence)
  const key = JSON.stringify(request)
  const preview = useSeriesPreview(request, pausedKey === key)
  const resolutions = resolved.key === key ? resolved.resolutions : noResolutions
  const refused = refusal?.key === key ? refusal.error : null
  const problem = refused ?? (preview.error instanceof ApiProblem ? preview.error : null)
  const { fieldErrors, dateErrors } = splitErrors(problem, repeat.ends)
  const isExplained = Object.keys(fieldErrors).length > 0 || dateErrors.length > 0
  return {
    repeat,
    setRepeat,
    isRepeating: repeat.unit !== 'none',
    recurrence,
    /** Patient, date, time and recurrence are complete, so that the dates can be planned. */
    isComplete: request !== null,
    errors: { ...fieldErrors, ...(isSubmitted || !hasBlankField(repeat) ? errors : {}) } as RecurrenceErrors,
    /** Error that concerns the dates and no input. */
    dateError: dateErrors[0] ?? null,
    appointments: preview.appointments,
    isPending: preview.isPending,
    failure: isExplained ? null : preview.error,
    retry: preview.retry,
    resolutions,
    resolve: (next: ConflictResolutions) => {
      setRefusal(null)
      setResolved({ key, resolutions: next })
    },
    /** The user tried to book: from now on missing input is reported too. */
    isSubmitted,
    showMissing: () => setIsSubmitted(true),
    /**
     * Keeps the preview as it is while the series is being booked, and while it is unknown whether it was: its own
     * appointments would appear as conflicts.
     */
    pausePreview: () => preview.hasData && setPausedKey(key),
    resumePreview: () => setPausedKey(null),
    /** Shows the server's refusal of the plan; returns false when it concerns no part of the recurrence. */
    showProblem: (error: ApiProblem) => {
      const isAboutSeries = error.problem.errors.some(({ path }) => /^(recurrence|resolutions)/.test(path))
      if (isAboutSeries) setRefusal({ key, error })
      return isAboutSeries
    },
    /** Removes resolutions by a free time that is taken now. */
    dropResolutions: (indices: readonly number[]) =>
      setResolved({ key, resolutions: new Map([...resolutions].filter(([index]) => !indices.includes(index))) }),
  }
}

export type SeriesPlan = ReturnType<typeof useSeriesPlan>
