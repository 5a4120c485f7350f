import { z } from 'zod'
import { UserId } from '#contracts/values/ids.ts'
import { deliverMail, mailRetry } from '#modules/kit/deliver-mail.ts'
import { defineJob } from '#modules/module.ts'
import { isEmailProofOpen, userDecider } from '../decider.ts'
import { jobNames } from '../process-manager.ts'
import { accountSettings } from '../settings.ts'
import { createProofLink } from './links.ts'
import { createProofMessage } from './message.ts'

/** Sends the link that confirms the address of a registration, unless a newer one replaces it or it is confirmed already. */
export const sendEmailProof = defineJob({
  name: jobNames.sendEmailProof,
  data: z.strictObject({ userId: UserId, proofId: z.uuid() }),
  retry: mailRetry,
  async run(services, { userId, proofId }, { id, signal }) {
    const { bus, clock } = services
    const date = clock()
    const { state } = await bus.load(userDecider, userId)
    if (state.status !== 'registered' || !isEmailProofOpen(state, proofId, date.toISOString())) return
    const { address } = accountSettings.read(services)
    const message = createProofMessage({
      key: id,
      to: state.user.email,
      date,
      url: createProofLink({ ...services, address }, { userId, proofId }),
      until: new Date(state.emailProof?.expiresAt ?? date),
    })
    await deliverMail(services, message, signal)
  },
  onDeadLetter: ({ mail }, _, { id }) => mail.release(id),
})
