import type { Client } from './client.ts'

const owners = new Map<string, Client>()

/** Remembers the signed-in owner of a practice, for what only owners and administrators may do. */
export const rememberOwner = (client: Client, practiceId: string): void => void owners.set(practiceId, client)

/** Returns the owner of a practice. Throws for a practice that `newOwner` did not set up. */
export function getOwner(practiceId: string): Client {
  const owner = owners.get(practiceId)
  if (!owner) throw new Error(`The owner of practice ${practiceId} is not known here`)
  return owner
}
