import { z } from 'zod'
import { EmailAddress } from './accounts.ts'
import { endpoint } from './endpoint.ts'

/** Returns how users reach the operator of this installation, for questions and billing. `email` is null if none is configured. */
export const getSupportContact = endpoint({
  method: 'GET',
  path: '/api/support',
  access: 'public',
  reply: z.object({ email: EmailAddress.nullable() }),
})
