import { z } from 'zod'

/** The status of an administration. One that was entered in error stays in the record. */
export const AdministrationStatus = z.enum(['given', 'entered-in-error'], { error: 'Please choose a status' })
export type AdministrationStatus = z.infer<typeof AdministrationStatus>

/** A vaccine is a medication whose lot is recorded with it. */
export const AdministrationKind = z.enum(['medication', 'vaccine'], { error: 'Please choose a kind' })
export type AdministrationKind = z.infer<typeof AdministrationKind>

/** The way into the body. */
export const AdministrationRoute = z.enum(
  [
    'oral',
    'intramuscular',
    'subcutaneous',
    'intradermal',
    'intravenous',
    'inhaled',
    'nasal',
    'topical',
    'rectal',
    'eye',
    'ear',
    'other',
  ],
  { error: 'Please choose a route' },
)
export type AdministrationRoute = z.infer<typeof AdministrationRoute>

type Fields = { kind: AdministrationKind; lotNumber: string | null; expiresOn: string | null }

/**
 * Returns the first problem of an administration on a date (YYYY-MM-DD): a vaccine without the number of its lot, which has to be
 * recorded (42 U.S.C. 300aa-25), or one that had expired. Null without any.
 */
export function findAdministrationProblem(
  { kind, lotNumber, expiresOn }: Fields,
  date: string,
): { field: 'lotNumber' | 'expiresOn'; message: string } | null {
  if (kind === 'vaccine' && lotNumber === null)
    return { field: 'lotNumber', message: 'Please enter the lot number of the vaccine' }
  return expiresOn !== null && expiresOn < date
    ? { field: 'expiresOn', message: 'It had expired before it was given' }
    : null
}
