import { Router } from '@koa/router'
import * as contract from '#contracts/confirmations.ts'
import type { Confirmation } from '#contracts/confirmations.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import type { Recorded } from '#eventstore/event.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import { loadAppointment } from '#modules/appointments/public.ts'
import type { Services } from '#modules/module.ts'
import { formatPhoneNumber } from '#modules/patients/public.ts'
import { findPracticeProfile, findTimeZone } from '#modules/practices/public.ts'
import { confirmationDecider, confirmationSettingsDecider, type ConfirmationSettings } from './decider.ts'
import { leaveNight } from './due.ts'
import type { ConfirmationEvent } from './events.ts'
import { createConfirmationLinks } from './links.ts'
import { createOfferLinks } from './offers/links.ts'
import { addOfferPage } from './offers/pages.ts'
import { addSurveyPage } from './surveys/pages.ts'
import { findSlotOffers } from './offers/queries.ts'
import { addConfirmationPages } from './pages.ts'
import {
  countConfirmationsByStatus,
  findConfirmation,
  findConfirmations,
  findSettings,
  type StoredConfirmation,
} from './queries.ts'
import { confirmationSettings } from './settings.ts'
import { addTwilioRoutes } from './twilio-routes.ts'

/** Serves the confirmations of a practice's appointments, and the pages that patients answer on. */
export function confirmationRoutes(services: Services): Router {
  const { bus, db, clock, mail, sms } = services
  const { address, hasQuietHours, twilio } = confirmationSettings.read(services)
  const links = createConfirmationLinks({ ...services, address })
  const offerLinks = createOfferLinks({ ...services, address })
  const router = new Router()
  const channels = {
    sms: sms.kind,
    email: mail.kind === 'outbox' ? 'outbox' : 'vendor',
  } as const

  async function requireConfirmation(practiceId: string, confirmationId: string): Promise<Confirmation> {
    const found = await findConfirmation(db, practiceId, confirmationId)
    if (!found) throw notFound('confirmation')
    return toReply(found)
  }

  async function describeSettings(practiceId: string, settings: ConfirmationSettings) {
    const practice = await findPracticeProfile(db, practiceId)
    return { ...settings, channels, practiceName: practice?.name ?? '' }
  }

  serve(router, contract.listConfirmations, async ({ caller: { practiceId }, query }, { setHeader }) => {
    const { cursor: _, ...filter } = query
    const { confirmations, total, next } = await findConfirmations(db, { practiceId, ...query })
    setHeader('X-Total-Count', String(total))
    if (next) {
      const params = new URLSearchParams({ cursor: next })
      for (const [name, value] of Object.entries(filter)) if (value) params.set(name, String(value))
      setHeader('Link', `<${contract.listConfirmations.path}?${params}>; rel="next"`)
    }
    return confirmations.map(toReply)
  })

  // Before the details: their paths must not match as an id.
  serve(router, contract.countConfirmations, ({ caller }) => countConfirmationsByStatus(db, caller.practiceId))

  serve(router, contract.getConfirmationConfig, async ({ caller: { practiceId } }) =>
    describeSettings(practiceId, await findSettings(db, practiceId)),
  )

  serve(router, contract.saveConfirmationConfig, async ({ caller: { practiceId }, body }, { commandContext }) => {
    const command = { type: 'ChangeSettings', practiceId, settings: body } as const
    const { state } = await bus.execute(confirmationSettingsDecider, practiceId, command, commandContext)
    return await describeSettings(practiceId, state)
  })

  serve(router, contract.getConfirmation, async ({ caller: { practiceId }, params: { confirmationId } }) => {
    const confirmation = await requireConfirmation(practiceId, confirmationId)
    const { history } = await bus.load(confirmationDecider, confirmationId)
    const isOutbox = channels[confirmation.reminderType] === 'outbox'
    return {
      ...confirmation,
      history: await describeHistory(services, history),
      answerUrl: isOutbox && confirmation.sentAt !== null ? links.createUrl(confirmation.id) : null,
    }
  })

  serve(
    router,
    contract.resendConfirmation,
    async ({ caller: { practiceId }, params: { confirmationId } }, { commandContext }) => {
      await requireConfirmation(practiceId, confirmationId)
      const loaded = await bus.load(confirmationDecider, confirmationId)
      const { state } = loaded
      if (!state.exists) throw notFound('confirmation')
      const now = clock().toISOString()
      const appointment = await loadAppointment(bus, practiceId, state.appointmentId)
      const isOpen =
        appointment?.slot.reservationId === state.reservationId &&
        appointment.status !== 'cancelled' &&
        appointment.slot.startsAt > now
      if (!isOpen)
        throw new ProblemError(409, 'appointment-over', 'This appointment has begun, was cancelled or was moved.')
      const dueAt = hasQuietHours ? leaveNight(now, await findTimeZone(db, practiceId)) : now
      const command = { type: 'Resend', practiceId, dueAt } as const
      await bus
        .execute(confirmationDecider, confirmationId, command, commandContext, { loaded })
        .catch((error: unknown) => {
          if (!(error instanceof CommandRejected)) throw error
          throw new ProblemError(409, 'not-resendable', error.rejection.message)
        })
      return await requireConfirmation(practiceId, confirmationId)
    },
  )

  serve(router, contract.listSlotOffers, async ({ caller: { practiceId }, query }, { setHeader }) => {
    const { offers, total, next } = await findSlotOffers(db, { practiceId, ...query })
    setHeader('X-Total-Count', String(total))
    if (next) {
      const params = new URLSearchParams({ cursor: next, limit: String(query.limit) })
      setHeader('Link', `<${contract.listSlotOffers.path}?${params}>; rel="next"`)
    }
    return offers.map((offer) => {
      const isOpen = offer.status === 'sent' && offer.delivery === 'outbox'
      return { ...offer, answerUrl: isOpen ? offerLinks.createUrl(offer.id) : null }
    })
  })

  addConfirmationPages(router, services)
  addOfferPage(router, services)
  addSurveyPage(router, services)
  if (twilio) addTwilioRoutes(router, services, twilio)
  return router
}

const toReply = ({ phoneNumber, ...confirmation }: StoredConfirmation): Confirmation => ({
  ...confirmation,
  phoneNumber: phoneNumber && formatPhoneNumber(phoneNumber),
})

const words = {
  ConfirmationPlanned: 'planned',
  ConfirmationReplanned: 'replanned',
  ConfirmationSent: 'sent',
  ConfirmationFailed: 'failed',
  ConfirmationWithdrawn: 'withdrawn',
  ConfirmationResendRequested: 'resend-requested',
} as const

function describeEvent(event: ConfirmationEvent) {
  if (event.type === 'ConfirmationAnswered') return event.data.answer
  if (event.type === 'ConfirmationClosed') return `appointment-${event.data.reason}` as const
  return words[event.type]
}

/** Returns what happened to a confirmation, oldest first, with the names of the users who did it. */
async function describeHistory({ db }: Services, history: readonly Recorded<ConfirmationEvent>[]) {
  const userIds = history.flatMap(({ metadata: { actor } }) => (actor.kind === 'user' ? [actor.userId] : []))
  const names = await findUserNames(db, [...new Set(userIds)])
  return history.map((event) => {
    const { actor, at } = event.metadata
    const by = actor.kind === 'user' ? (names.get(actor.userId) ?? null) : null
    return { at, by, what: describeEvent(event) }
  })
}
