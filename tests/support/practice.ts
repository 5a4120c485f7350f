import { randomUUID } from 'node:crypto'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Practice } from '#contracts/practices.ts'
import type { Client } from './client.ts'
import { rememberOwner } from './owners.ts'
import { sendUntilAnswered } from './send-until-answered.ts'

export const password = 'a long enough password'

/** Returns a sign-up form of a new person with each call. */
export function registrationForm(over: Record<string, unknown> = {}) {
  const name = `u${randomUUID().slice(0, 8)}`
  return { email: `${name}@example.test`, username: name, password, firstName: 'Ada', lastName: 'Okafor', ...over }
}

/** The practice details of the second step of the wizard. */
export const practiceDetails = {
  name: 'Harbor Clinic',
  address: '418 Harbor Street, Lakeside',
  phone: '(617) 555-0100',
  email: 'desk@example.test',
  specialties: ['Family Medicine'],
  timezone: 'America/New_York',
}

/** Signs up a new user with a separate client. */
export async function newUser(app: { newClient(): Client }, over: Record<string, unknown> = {}) {
  const client = app.newClient()
  const sent = registrationForm(over)
  const answer = await sendUntilAnswered(client, '/api/register', sent)
  if (answer.status !== 201) throw new Error(`register: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { client, user: answer.body as CurrentUser, registration: sent }
}

/** Sets up a practice with a new owner and a separate client. */
export async function newOwner(app: { newClient(): Client }, over: Record<string, unknown> = {}) {
  const owner = await newUser(app)
  const answer = await sendUntilAnswered(owner.client, '/api/practices/setup', { ...practiceDetails, ...over })
  if (answer.status !== 200) throw new Error(`setup: ${answer.status} ${JSON.stringify(answer.body)}`)
  const practice = answer.body as Practice
  rememberOwner(owner.client, practice.id)
  return { ...owner, practice }
}
