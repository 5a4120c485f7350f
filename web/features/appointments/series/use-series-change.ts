import { formatName } from '#web/ui/format.ts'
import { useState } from 'react'
import type { NotMoved } from '#contracts/appointment-series.ts'
import type { Appointment } from '#contracts/appointments.ts'
import { ApiProblem, isUnknownOutcome } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import type { PartialSeriesChange } from './partial-series-dialog.tsx'
import { type SeriesChange, useChangeSeries } from './series-api.ts'
import { parseSeriesConflicts } from './series-conflicts.tsx'
import type { ChangeScope } from './series-scope.ts'

/** Returns the error with a hint appended where the outcome is unknown. */
export function withUnknownOutcome(error: unknown, hint: string): unknown {
  if (!isUnknownOutcome(error)) return error
  return new ApiProblem({ ...error.problem, message: `${error.detail} ${hint}` })
}

/** Changes several appointments of a series: holds the scope and the conflicts, and reports a partial success. */
export function useSeriesChange({ onPartialChange }: { onPartialChange: (partial: PartialSeriesChange) => void }) {
  const notify = useNotify()
  const change = useChangeSeries()
  const [scope, setScope] = useState<ChangeScope>('this')
  const [conflicts, setConflicts] = useState<NotMoved[] | null>(null)

  /** Returns null when the server accepted the change, `conflicts` when times are taken, and otherwise the error. */
  async function send(appointment: Appointment, requested: SeriesChange, allowOverlap: boolean): Promise<unknown> {
    if (scope === 'this') return null
    setConflicts(null)
    try {
      const { appointments, notMoved } = await change.mutateAsync({
        appointment,
        scope,
        change: requested,
        allowOverlap,
      })
      const changed = appointments.length - notMoved.length
      if (notMoved.length === 0)
        notify({
          title: changed === 1 ? 'Appointment updated' : `${changed} appointments updated`,
          body: formatName(appointment.patient),
        })
      // After the form is unmounted: its closing would close the next dialog.
      else
        setTimeout(() =>
          onPartialChange({ patient: appointment.patient, change: requested, changedCount: changed, notMoved }),
        )
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
