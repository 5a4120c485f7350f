import type { CurrentUser } from '#contracts/accounts.ts'
import { InvitationId } from '#contracts/values/ids.ts'
import type { Role } from '#contracts/values/roles.ts'
import type { Services } from '#modules/module.ts'
import { createInvitationUrl } from '#modules/team/links.ts'
import type { Client } from './client.ts'
import { getOwner } from './owners.ts'
import { registrationForm } from './practice.ts'
import { proveEmail } from './prove-email.ts'

type App = { newClient(): Client; services?: Partial<Pick<Services, 'keyedHash' | 'bus'>> }

/** The last day of every reviewer: far enough for the clock of any test. */
const lastDay = '2099-12-31'

async function invite(app: App | null, practiceId: string, email: string, role: Role, over: object) {
  const owner = getOwner(practiceId)
  const end = role === 'reviewer' ? { lastDay } : {}
  const send = () => owner.post('/api/team/invitations', { email, role, ...end, ...over })
  let sent = await send()
  // Where there is a mail server, the owner confirms the own address first.
  const { bus, keyedHash } = app?.services ?? {}
  if (sent.status === 403 && app && bus && keyedHash) {
    await proveEmail({ ...app, services: { bus, keyedHash } }, owner)
    sent = await send()
  }
  if (sent.status !== 201) throw new Error(`invite: ${sent.status} ${JSON.stringify(sent.body)}`)
  return sent.body as { invitation: { id: string }; link: string | null }
}

const findToken = (link: string) => new URL(link).pathname.split('/').at(-1) ?? ''

/** Invites a person as the owner of a practice of an application without a mail server, and returns the token of the link. */
export async function inviteTo(practiceId: string, email: string, role: Role, over: object = {}): Promise<string> {
  const { link } = await invite(null, practiceId, email, role, over)
  if (link === null) throw new Error('The link was mailed')
  return findToken(link)
}

/**
 * Adds a member to a practice who is not its owner, and returns the client and credentials. The practice was set up with
 * `newOwner`.
 */
export async function newMember(app: App, practiceId: string, role: Role, over: object = {}) {
  const registration = registrationForm()
  const { email, ...person } = registration
  const { invitation, link } = await invite(app, practiceId, email, role, over)
  const token = findToken(link ?? createFirstLink(app, invitation.id))
  const client = app.newClient()
  const answer = await client.post(`/api/invitations/${token}/accept`, person)
  if (answer.status !== 201) throw new Error(`accept: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { client, user: answer.body as CurrentUser, registration }
}

/** Returns the link that an application with a mail server has mailed. */
function createFirstLink({ services }: App, id: string): string {
  const { keyedHash } = services ?? {}
  if (!keyedHash) throw new Error('The link was mailed, and its key is not known')
  const invitationId = InvitationId.parse(id)
  return createInvitationUrl({ keyedHash, address: 'http://localhost' }, { invitationId, linkNumber: 1 })
}

/** Adds a member to a practice and returns only the client. */
export const joinPractice = async (app: App, practiceId: string, role: Role): Promise<Client> =>
  (await newMember(app, practiceId, role)).client
