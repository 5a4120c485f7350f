import type { Role } from '#contracts/values/roles.ts'
import type { Client } from './client.ts'
import { newUser } from './practice.ts'
import type { TestApp } from './test-app.ts'

/**
 * A member of a practice who is not its owner, with what they sign in with. Inviting members is not part of the product yet,
 * so the accounts' read model is given what an invitation will write there.
 */
export async function newMember(app: TestApp, practiceId: string, role: Role) {
  const member = await newUser(app)
  await app.services.pool.query(
    'update read.users set practice_id = $2, role = $3, is_owner = false where user_id = $1',
    [member.user.id, practiceId, role],
  )
  return member
}

/** The same, where only what they ask matters. */
export const joinPractice = async (app: TestApp, practiceId: string, role: Role): Promise<Client> =>
  (await newMember(app, practiceId, role)).client
