import * as contract from '#contracts/prior-authorizations.ts'
import { authorizationRequirements } from '#contracts/values/prior-authorizations.ts'
import { requirePermission } from '#http/access.ts'
import type { Module } from '#modules/module.ts'
import { recordRoutes, requireProviderIn } from '#modules/records/requests/public.ts'
import { authorizationDecider } from './decider.ts'
import { authorizationEvents, PriorAuthorizationEvent } from './events.ts'
import { expireAuthorizations } from './jobs.ts'
import { authorizationsProjection } from './projection.ts'
import { authorizationReader } from './queries.ts'

/** Requests to insurers to approve a treatment before it is given. */
export const priorAuthorizations: Module = {
  name: 'prior-authorizations',
  events: [PriorAuthorizationEvent],
  projections: [authorizationsProjection],
  jobs: [expireAuthorizations],
  liveUpdates: [{ kinds: ['records'], events: [PriorAuthorizationEvent] }],
  routes: (services) =>
    recordRoutes(services, {
      noun: 'prior authorization',
      events: authorizationEvents,
      decider: authorizationDecider,
      reader: authorizationReader,
      endpoints: {
        list: contract.listPriorAuthorizations,
        exportCsv: contract.exportPriorAuthorizations,
        get: contract.getPriorAuthorization,
        add: contract.addPriorAuthorization,
        change: contract.changePriorAuthorization,
      },
      authorize(caller, body, isNew) {
        for (const field of ['diagnosisCodes', 'clinicalData'])
          if (isNew ? isFilled(body[field]) : body[field] !== undefined)
            requirePermission(caller, 'clinical:write', field)
      },
      check: (services, { caller }, { providerId }) => requireProviderIn(services, caller, providerId, 'providerId'),
      complete: () => ({ authorizationNumber: null, expiresAt: null, denialReason: null }),
      completeMove: ({ now }) => ({ submittedAt: now, approvedAt: now }),
      required: authorizationRequirements,
    }),
}

/** Returns whether a field of a new record has another value than the one that it has by default. */
const isFilled = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0)
