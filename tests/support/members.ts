import type { Role } from '#contracts/values/roles.ts'
import type { Client } from './client.ts'
import { newUser } from './practice.ts'
import type { TestApp } from './test-app.ts'

/**
 * A member of a practice who is not its owner. Inviting members is not part of the product yet, so the accounts' read
 * model is given what an invitation will write there.
 */
export async function joinPractice(app: TestApp, practiceId: string, role: Role): Promise<Client> {
  const { client, user } = await newUser(app)
  await app.services.pool.query(
    'update read.users set practice_id = $2, role = $3, is_owner = false where user_id = $1',
    [user.id, practiceId, role],
  )
  return client
}
