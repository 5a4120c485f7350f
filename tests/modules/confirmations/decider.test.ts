import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PracticeId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import {
  type ConfirmationCommand,
  confirmationDecider,
  confirmationSettingsDecider,
  textNumberDecider,
} from '#modules/confirmations/decider.ts'
import type { ConfirmationEvent } from '#modules/confirmations/events.ts'
import { practiceId, uuid } from '#tests/modules/appointments/fixtures.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { answered, closed, failed, later, plan, planned, replanned, resent, sent, withdrawn } from './fixtures.ts'

const given = deciderSpec(confirmationDecider)

const planAt = (dueAt: string) => ({ type: 'Plan', plan: { ...plan, dueAt } }) as const
const recordSent = (attempt = 1) => ({ type: 'RecordSent', attempt, delivery: 'sent' }) as const
const recordFailure = (attempt = 1) => ({ type: 'RecordFailure', attempt, reason: 'refused' }) as const
const resend = { type: 'Resend', practiceId, dueAt: later } as const
const answer = (to: 'confirmed' | 'declined') => ({ type: 'Answer', answer: to }) as const

describe('the owner of a number', () => {
  const numberId = uuid(9, 7)
  const given = deciderSpec(textNumberDecider)
  const stopped = { type: 'TextsStopped', data: { numberId } } as const
  const resumed = { type: 'TextsResumed', data: { numberId } } as const

  it('stops and resumes texts, as often as they like', () => {
    given().when({ type: 'Stop', numberId }).then(stopped)
    given(stopped).when({ type: 'Stop', numberId }).thenNothing()
    given(stopped).when({ type: 'Resume', numberId }).then(resumed)
    given().when({ type: 'Resume', numberId }).thenNothing()
    given(stopped, resumed).when({ type: 'Stop', numberId }).then(stopped)
  })
})

describe('a confirmation', () => {
  it('is planned once, and its instant moves until it was sent', () => {
    given().when(planAt(plan.dueAt)).then(planned)
    given(planned).when(planAt(plan.dueAt)).thenNothing()
    given(planned).when(planAt(later)).then(replanned)
    given(planned, replanned).when(planAt(later)).thenNothing()
    given(planned, replanned)
      .when(planAt(plan.dueAt))
      .then({ ...replanned, data: { ...replanned.data, dueAt: plan.dueAt } } as ConfirmationEvent)
    given(planned, sent()).when(planAt(later)).thenNothing()
    given(planned, answered('confirmed')).when(planAt(later)).thenNothing()
  })

  it('is withdrawn while it is pending, and planned again only for a channel that is back', () => {
    given(planned).when({ type: 'Withdraw', reason: 'cancelled' }).then(withdrawn('cancelled'))
    given(planned, withdrawn('channel-off')).when(planAt(later)).then(replanned)
    given(planned, withdrawn('switched-off')).when(planAt(later)).then(replanned)
    given(planned, withdrawn('cancelled')).when(planAt(later)).thenNothing()
  })

  it('is closed once when its appointment is cancelled or moved before an answer, and is not sent again then', () => {
    given(planned, sent()).when({ type: 'Withdraw', reason: 'cancelled' }).then(closed('cancelled'))
    given(planned, failed()).when({ type: 'Withdraw', reason: 'moved' }).then(closed('moved'))
    given(planned, sent()).when({ type: 'Withdraw', reason: 'channel-off' }).thenNothing()
    given(planned, sent(), answered('confirmed')).when({ type: 'Withdraw', reason: 'moved' }).thenNothing()
    given(planned, sent(), closed('moved')).when({ type: 'Withdraw', reason: 'cancelled' }).thenNothing()
    given(planned, sent(), closed('moved')).when(resend).thenRefused('not-resendable')
    // The carrier reports it later.
    given(planned, sent(), closed('moved')).when(recordFailure()).then(failed())
  })

  it('is sent once in each attempt', () => {
    given(planned).when(recordSent()).then(sent())
    given(planned, sent()).when(recordSent()).thenNothing()
    given(planned, failed()).when(recordSent()).thenNothing()
    given(planned, failed(), resent()).when(recordSent()).thenNothing()
    given(planned, failed(), resent()).when(recordSent(2)).then(sent(2))
  })

  it('fails also after it was sent, but not after its answer', () => {
    given(planned).when(recordFailure()).then(failed())
    given(planned, sent()).when(recordFailure()).then(failed())
    given(planned, sent(), answered('confirmed')).when(recordFailure()).thenNothing()
  })

  it('is sent again when it was sent or failed', () => {
    given(planned, sent()).when(resend).then(resent())
    given(planned, failed()).when(resend).then(resent())
    given(planned).when(resend).thenRefused('not-resendable')
    given(planned, sent(), answered('confirmed')).when(resend).thenRefused('not-resendable')
    given(planned, withdrawn('cancelled')).when(resend).thenRefused('not-resendable')
  })

  it('of a user who asks again keeps the instant of that request', () => {
    given(planned, sent(), resent()).when(planAt(plan.dueAt)).thenNothing()
  })

  it('is answered by its patient, who may decline later', () => {
    given(planned, sent()).when(answer('confirmed')).then(answered('confirmed'))
    given(planned, sent(), answered('confirmed')).when(answer('confirmed')).thenNothing()
    given(planned, sent(), answered('confirmed')).when(answer('declined')).then(answered('declined'))
    given(planned, sent(), answered('declined')).when(answer('confirmed')).thenRefused('declined')
    // The message left, and the process stopped before that was recorded.
    given(planned).when(answer('confirmed')).then(answered('confirmed'))
    given(planned, withdrawn('cancelled')).when(answer('confirmed')).thenRefused('withdrawn')
  })

  it('is not found by another practice, or before it was planned', () => {
    given(planned, sent())
      .when({ ...resend, practiceId: PracticeId.parse(uuid(1, 2)) })
      .thenRefused('not-found')
    given().when(answer('confirmed')).thenRefused('not-found')
  })
})

describe('any commands', () => {
  const attempt = fc.integer({ min: 1, max: 3 })
  const command: fc.Arbitrary<ConfirmationCommand> = fc.oneof(
    fc.constantFrom(plan.dueAt, later).map(planAt),
    fc
      .constantFrom('cancelled' as const, 'moved' as const, 'channel-off' as const, 'switched-off' as const)
      .map((reason) => ({ type: 'Withdraw' as const, reason })),
    attempt.map(recordSent),
    attempt.map(recordFailure),
    fc.constant(resend),
    fc.constantFrom('confirmed' as const, 'declined' as const).map(answer),
  )
  const ranks = { pending: 0, sent: 1, failed: 2, confirmed: 3, declined: 4, withdrawn: 5 }
  const decideAll = (commands: readonly ConfirmationCommand[]) =>
    commands.reduce<ConfirmationEvent[]>((events, each) => {
      const decision = confirmationDecider.decide(each, fold(confirmationDecider, events))
      return isRejection(decision) ? events : [...events, ...decision]
    }, [])

  it('move the status forward only, within one attempt', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 25 }), (commands) => {
        const events = decideAll(commands)
        for (const [index, { type }] of events.entries()) {
          const before = fold(confirmationDecider, events.slice(0, index))
          const after = fold(confirmationDecider, events.slice(0, index + 1))
          if (!before.exists || !after.exists || type === 'ConfirmationReplanned') continue
          if (type === 'ConfirmationClosed') {
            expect({ ...after, closed: null }).toEqual({ ...before, closed: null })
            continue
          }
          expect(after.attempt).toBe(before.attempt + (type === 'ConfirmationResendRequested' ? 1 : 0))
          if (after.attempt === before.attempt) expect(ranks[after.status]).toBeGreaterThan(ranks[before.status])
        }
      }),
    )
  })

  it('record at most one message in each attempt', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 25 }), (commands) => {
        const attempts = decideAll(commands).flatMap((event) =>
          event.type === 'ConfirmationSent' ? [event.data.attempt] : [],
        )
        expect(new Set(attempts).size).toBe(attempts.length)
      }),
    )
  })
})

describe('the settings', () => {
  const givenSettings = deciderSpec(confirmationSettingsDecider)
  const settings = {
    reminderType: 'both',
    reminderTiming: '48h',
    autoReschedule: true,
    customMessage: 'Please bring your card.',
  } as const
  const change = { type: 'ChangeSettings', practiceId, settings } as const

  it('are recorded when they change', () => {
    const optional = { offerFreedSlots: false, askSatisfaction: false, language: 'en' } as const
    const changed = {
      type: 'ConfirmationSettingsChanged',
      data: { practiceId, ...settings, ...optional },
    } as const
    givenSettings().when(change).then(changed)
    givenSettings(changed).when(change).thenNothing()
    expect(fold(confirmationSettingsDecider, [changed])).toEqual({ ...settings, ...optional })
  })

  it('keep what a change does not name, also from before there was a choice', () => {
    const older = { type: 'ConfirmationSettingsChanged', data: { practiceId, ...settings } } as const
    const chosen = { offerFreedSlots: true, askSatisfaction: true, language: 'es' } as const
    const on = { ...change, settings: { ...settings, ...chosen } }
    const changed = { ...older, data: { ...older.data, ...chosen } }
    givenSettings(older).when(change).thenNothing()
    givenSettings(older).when(on).then(changed)
    givenSettings(older, changed).when(change).thenNothing()
  })
})
