import { z } from 'zod'

/**
 * RFC 9457 problem details as every refusal and failure leaves the server, as `application/problem+json`. `code` is for
 * programs, `message` for people; `errors` names the fields at fault by their path (`emergencyContact.phone`).
 */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  message: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })),
})
export type Problem = z.infer<typeof Problem>
