import type { Pool } from 'pg'
import type { Role } from '#contracts/values/roles.ts'
import type { Client } from './client.ts'
import { newUser } from './practice.ts'

type App = { newClient(): Client; services: { pool: Pick<Pool, 'query'> } }

/**
 * Adds a member to a practice who is not its owner, and returns the client and credentials. Invitations are not part of the
 * product yet, so the read model of the accounts is updated directly.
 */
export async function newMember(app: App, practiceId: string, role: Role) {
  const member = await newUser(app)
  await app.services.pool.query(
    'update read.users set practice_id = $2, role = $3, is_owner = false where user_id = $1',
    [member.user.id, practiceId, role],
  )
  return member
}

/** Adds a member to a practice and returns only the client. */
export const joinPractice = async (app: App, practiceId: string, role: Role): Promise<Client> =>
  (await newMember(app, practiceId, role)).client
