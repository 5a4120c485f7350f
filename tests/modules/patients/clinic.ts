import type { Patient } from '#contracts/patients.ts'
import { newOwner } from '#tests/support/practice.ts'
import type { TestApp } from '#tests/support/test-app.ts'

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
