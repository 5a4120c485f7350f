import * as contract from '#contracts/call-logs.ts'
import { requirePermission } from '#http/access.ts'
import type { Module } from '#modules/module.ts'
import { recordRoutes } from '#modules/records/requests/public.ts'
import { callDecider } from './decider.ts'
import { callEvents, CallLogEvent } from './events.ts'
import { callsProjection } from './projection.ts'
import { callReader } from './queries.ts'

/** The log of calls, with who calls back until when. */
export const callLogs: Module = {
  name: 'call-logs',
  events: [CallLogEvent],
  projections: [callsProjection],
  liveUpdates: [{ kinds: ['records'], events: [CallLogEvent] }],
  routes: (services) =>
    recordRoutes(services, {
      noun: 'call',
      events: callEvents,
      decider: callDecider,
      reader: callReader,
      endpoints: {
        list: contract.listCallLogs,
        exportCsv: contract.exportCallLogs,
        get: contract.getCallLog,
        add: contract.addCallLog,
        change: contract.changeCallLog,
      },
      authorize(caller, { transcription }, isNew) {
        if (isNew ? transcription !== null : transcription !== undefined)
          requirePermission(caller, 'clinical:write', 'transcription')
      },
      // No system answers calls: what a person enters was handled by a person.
      complete: () => ({ handledByAi: false, transferredToHuman: false }),
    }),
}
