import { z } from 'zod'

/** The name of a person. */
export const PersonName = z.object({ firstName: z.string(), lastName: z.string() })
