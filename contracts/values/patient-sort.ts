import { z } from 'zod'

/** A leading minus means descending. A search without a sort is ordered by best match. */
export const PatientSort = z.enum(['name', '-name', 'dateOfBirth', '-dateOfBirth', 'updatedAt', '-updatedAt'])
export type PatientSort = z.infer<typeof PatientSort>
