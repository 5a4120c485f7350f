import * as contract from '#contracts/referrals.ts'
import { referralRequirements } from '#contracts/values/referrals.ts'
import type { Module } from '#modules/module.ts'
import { recordRoutes, requireProviderIn } from '#modules/records/requests/public.ts'
import { referralDecider } from './decider.ts'
import { ReferralEvent, referralEvents } from './events.ts'
import { referralsProjection } from './projection.ts'
import { referralReader } from './queries.ts'

/** Requests to specialists to see a patient. */
export const referrals: Module = {
  name: 'referrals',
  events: [ReferralEvent],
  projections: [referralsProjection],
  liveUpdates: [{ kinds: ['records'], events: [ReferralEvent] }],
  routes: (services) =>
    recordRoutes(services, {
      noun: 'referral',
      events: referralEvents,
      decider: referralDecider,
      reader: referralReader,
      endpoints: {
        list: contract.listReferrals,
        exportCsv: contract.exportReferrals,
        get: contract.getReferral,
        add: contract.addReferral,
        change: contract.changeReferral,
      },
      check: (_, { caller }, { referringProviderId }) =>
        requireProviderIn(services, caller, referringProviderId, 'referringProviderId'),
      completeMove: ({ today }) => ({ reportReceivedOn: today }),
      required: referralRequirements,
      derive: ({ appointmentDate }) => ({ appointmentScheduled: appointmentDate !== null }),
    }),
}
