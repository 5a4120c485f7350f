import type { UserId } from '#contracts/values/ids.ts'
import { userDecider } from '#modules/accounts/decider.ts'
import { createProofLink } from '#modules/accounts/email-proof/links.ts'
import type { Services } from '#modules/module.ts'
import type { Client } from './client.ts'

type App = { newClient(): Client; services: Pick<Services, 'bus' | 'keyedHash'> }

/** Confirms the address of the registration of a signed-in client, with the link that was mailed last. */
export async function proveEmail({ newClient, services }: App, client: Client): Promise<void> {
  const userId = (await client.get('/api/user')).body.id as UserId
  const { state } = await services.bus.load(userDecider, userId)
  if (state.status !== 'registered' || !state.emailProof) throw new Error('No proof of the address was requested')
  const link = createProofLink({ ...services, address: 'http://localhost' }, { userId, ...state.emailProof })
  const answer = await newClient().post('/api/email/confirm', { token: link.split('/').at(-1) })
  if (answer.status !== 200) throw new Error(`confirm: ${answer.status} ${JSON.stringify(answer.body)}`)
}
