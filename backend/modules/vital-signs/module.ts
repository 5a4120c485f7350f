import { computeBodyMassIndex, findVitalSignsProblem } from '#contracts/values/vital-signs.ts'
import * as contract from '#contracts/vital-signs.ts'
import { fieldError } from '#http/problems.ts'
import type { Module } from '#modules/module.ts'
import { recordRoutes, requireAppointmentOfPatient, requireNotInFuture } from '#modules/records/requests/public.ts'
import { vitalSignsDecider } from './decider.ts'
import { VitalSignsEvent, vitalSignsEvents } from './events.ts'
import { vitalSignsProjection } from './projection.ts'
import { vitalSignsReader } from './queries.ts'

/** The vital signs of patients. */
export const vitalSigns: Module = {
  name: 'vital-signs',
  events: [VitalSignsEvent],
  projections: [vitalSignsProjection],
  liveUpdates: [{ kinds: ['records'], events: [VitalSignsEvent] }],
  routes: (services) =>
    recordRoutes(services, {
      noun: 'measurement',
      events: vitalSignsEvents,
      decider: vitalSignsDecider,
      reader: vitalSignsReader,
      endpoints: {
        list: contract.listVitalSigns,
        exportCsv: contract.exportVitalSigns,
        get: contract.getVitalSigns,
        add: contract.recordVitalSigns,
        change: contract.changeVitalSigns,
      },
      async check(_, { caller, now }, { appointmentId, measuredAt, ...values }, patientId) {
        const problem = findVitalSignsProblem(values)
        if (problem) throw fieldError(problem.field, problem.message)
        requireNotInFuture(measuredAt, now, 'measuredAt')
        await requireAppointmentOfPatient(services, caller, { appointmentId, patientId }, 'appointmentId')
      },
      complete: ({ now }, { measuredAt }) => ({ measuredAt: (measuredAt as string | null) ?? now }),
      derive: (values) => ({ bodyMassIndex: computeBodyMassIndex(values) }),
    }),
}
