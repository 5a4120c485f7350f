import { expect, it } from 'vitest'
import { PracticeId, ProviderId, UserId } from '#contracts/values/ids.ts'
import { providers } from '#modules/providers/module.ts'
import { firstProviderJob, addOwnerAsProvider, reviewDeactivations } from '#modules/providers/process-manager.ts'
import { addFirstProvider } from '#modules/providers/jobs.ts'
import { practiceId } from '#tests/modules/appointments/fixtures.ts'
import { requestsOf } from '#tests/modules/appointments/follow-ups.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { practiceDetails } from '#tests/support/practice.ts'

it('lets the owner of a new practice see patients', () => {
  const data = {
    practiceId: PracticeId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0002'),
    ownerId: UserId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0003'),
    ...practiceDetails,
    website: null,
    npi: null,
    taxId: null,
  }
  const fact = recordedEvent({ type: 'PracticeSetUp' as const, data })
  const cause = { correlationId: fact.metadata.correlationId, causationId: fact.id }
  expect(addOwnerAsProvider.on.PracticeSetUp?.(fact)).toEqual([
    { job: firstProviderJob, data: { practiceId: data.practiceId, cause } },
  ])
})

it('takes the correlation id that a caller brought along, whatever version it is of', () => {
  const cause = { correlationId: '00000000-0000-0000-0000-00000000000a', causationId: crypto.randomUUID() }
  const data = { practiceId: '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0002', cause }
  expect(addFirstProvider.data.parse(data)).toEqual(data)
})

it('looks at a deactivation once more after ten seconds', () => {
  const providerId = ProviderId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0004')
  expect(requestsOf(reviewDeactivations, providers, { type: 'ProviderDeactivated', data: { providerId } })).toEqual([
    { job: 'review-deactivation', after: '2026-11-20T08:00:10.000Z', practiceId, providerId },
  ])
})
