import type { Patient } from '#contracts/patients.ts'
import type { Role } from '#contracts/values/roles.ts'
import type { Client } from '#tests/support/client.ts'
import { newOwner, newUser } from '#tests/support/practice.ts'
import type { TestApp } from '#tests/support/test-app.ts'

/** A colleague of a role who belongs to a practice without owning it, in a browser of their own. */
export async function colleague(app: TestApp, practiceId: string, role: Role): Promise<Client> {
  const { client, user } = await newUser(app)
  // There is no invitation yet: what one will lead to is written into the row that rights are read from.
  await app.services.pool.query(
    'update read.users set practice_id = $2, role = $3, is_owner = false where user_id = $1',
    [user.id, practiceId, role],
  )
  return client
}

/** A practice of its own with an owner, and what its tests need most. */
export async function newClinic(app: TestApp, over: Record<string, unknown> = {}) {
  const { client, practice } = await newOwner(app, over)
  return {
    client,
    practiceId: practice.id as string,
    async add(fields: Record<string, unknown>, by = client): Promise<Patient> {
      const answer = await by.post('/api/patients', { firstName: 'Ann', lastName: 'Lee', ...fields })
      if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body as Patient
    },
    async names(query: string): Promise<string[]> {
      const answer = await client.get(`/api/patients?${query}`)
      if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
      return (answer.body as Patient[]).map(({ firstName, lastName }) => `${firstName} ${lastName}`)
    },
  }
}
export type Clinic = Awaited<ReturnType<typeof newClinic>>
