import { z } from 'zod'

/**
 * A leading minus means descending. A search without a sort is ordered by best match. `lastVisit` orders by the last
 * completed appointment or, for patients without one, by the last change of the record, as the list shows them.
 */
export const PatientSort = z.enum([
  'name',
  '-name',
  'dateOfBirth',
  '-dateOfBirth',
  'lastVisit',
  '-lastVisit',
  'updatedAt',
  '-updatedAt',
])
export type PatientSort = z.infer<typeof PatientSort>
