import { useState } from 'react'
import type { NotMoved } from '#contracts/appointment-series.ts'
import type { Appointment } from '#contracts/appointments.ts'
import { ApiProblem } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import type { PartialSeriesChange } from './partial-series-dialog.tsx'
import { type SeriesChange, useChangeSeries } from './series-api.ts'
import { parseSeriesConflicts } from './series-conflicts.tsx'
import type { ChangeScope } from './series-scope.ts'
import { formatName } from '../labels.ts'

/** No answer came, or none that says so: nobody knows how far the server came. */
export const isUnknownOutcome = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && (error.status === 0 || error.status >= 500)

/** Where nobody knows how far the server came: the error with the words for that. */
export function withUnknownOutcome(error: unknown, words: string): unknown {
  if (!isUnknownOutcome(error)) return error
  return new ApiProblem({ ...error.problem, message: `${error.detail} ${words}` })
}

/** Changes several appointments of a row: which ones, who is in the way, and what becomes of a change that succeeds only in part. */
export function useSeriesChange({ onLeft }: { onLeft: (left: PartialSeriesChange) => void }) {
  const notify = useNotify()
  const change = useChangeSeries()
  const [scope, setScope] = useState<ChangeScope>('this')
  const [conflicts, setConflicts] = useState<NotMoved[] | null>(null)

  /** Answers null when the server took it, `conflicts` when somebody is in the way, or what went wrong. */
  async function send(appointment: Appointment, wish: SeriesChange, allowOverlap: boolean): Promise<unknown> {
    if (scope === 'this') return null
    setConflicts(null)
    try {
      const { appointments, notMoved } = await change.mutateAsync({ appointment, scope, change: wish, allowOverlap })
      const changed = appointments.length - notMoved.length
      if (notMoved.length === 0)
        notify({
          title: changed === 1 ? 'Appointment updated' : `${changed} appointments updated`,
          body: formatName(appointment.patient),
        })
      // After the form is gone, which would close what opens now.
      else setTimeout(() => onLeft({ patient: appointment.patient, change: wish, changedCount: changed, notMoved }))
      return null
    } catch (error) {
      const list = parseSeriesConflicts(error)
      if (!list)
        return withUnknownOutcome(
          error,
          'Some appointments may be changed already. Save again: only the others are changed then.',
        )
      setConflicts(list)
      return 'conflicts'
    }
  }

  return {
    scope,
    setScope: (next: ChangeScope) => {
      setConflicts(null)
      setScope(next)
    },
    conflicts,
    isPending: change.isPending,
    send,
  }
}
