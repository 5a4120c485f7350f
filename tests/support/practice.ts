import { randomUUID } from 'node:crypto'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Practice } from '#contracts/practices.ts'
import type { Client } from './client.ts'

export const password = 'a long enough password'

/** What somebody types to sign up; every call is another person. */
export function registrationForm(over: Record<string, unknown> = {}) {
  const name = `u${randomUUID().slice(0, 8)}`
  return { email: `${name}@example.test`, username: name, password, firstName: 'Ada', lastName: 'Okafor', ...over }
}

/** What an owner types in the second step of the wizard. */
export const practiceDetails = {
  name: 'Harbor Clinic',
  address: '418 Harbor Street, Lakeside',
  phone: '(617) 555-0100',
  email: 'desk@example.test',
  specialties: ['Family Medicine'],
  timezone: 'America/New_York',
}

/** A person who has just signed up, in a browser of their own. */
export async function newUser(app: { newClient(): Client }, over: Record<string, unknown> = {}) {
  const client = app.newClient()
  const sent = registrationForm(over)
  const answer = await client.post('/api/register', sent)
  if (answer.status !== 201) throw new Error(`register: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { client, user: answer.body as CurrentUser, registration: sent }
}

/** The owner of a practice that has just been set up, in a browser of their own. */
export async function newOwner(app: { newClient(): Client }, over: Record<string, unknown> = {}) {
  const owner = await newUser(app)
  const answer = await owner.client.post('/api/practices/setup', { ...practiceDetails, ...over })
  if (answer.status !== 200) throw new Error(`setup: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { ...owner, practice: answer.body as Practice }
}
