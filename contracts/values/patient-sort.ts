import { z } from 'zod'

/** A leading minus sorts downwards. With a search and no sort: best match first. */
export const PatientSort = z.enum(['name', '-name', 'dateOfBirth', '-dateOfBirth', 'updatedAt', '-updatedAt'])
export type PatientSort = z.infer<typeof PatientSort>
