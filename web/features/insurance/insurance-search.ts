import type { PolicyInRecord, VerificationStatus } from '#contracts/values/insurance.ts'
import { policyInRecordLabels, statusLabels } from './labels.ts'

/**
 * Search parameters of the list. Omitted means all verifications, first page. `page` is the number of the page that begins at
 * `cursor`, `verification` the one whose details are open; `new` opens the dialog for a new one, of the
 * patient with the id `patient`.
 */
export type InsuranceSearch = {
  status?: VerificationStatus
  policyInRecord?: PolicyInRecord
  search?: string
  page?: number
  cursor?: string
  verification?: string
  new?: true
  patient?: string
}

const maxSearchLength = 200
const maxCursorLength = 500
const idPattern = /^[0-9a-f-]{36}$/

/** Returns a plain search parameter as text; structured values count as empty. */
const toText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const isPolicyInRecord = (value: string): value is PolicyInRecord => Object.hasOwn(policyInRecordLabels, value)
const isStatus = (value: string): value is VerificationStatus => Object.hasOwn(statusLabels, value)

/** Parses search parameters and drops invalid ones; a page without its cursor is the first one. */
export function parseInsuranceSearch(raw: Record<string, unknown>): InsuranceSearch {
  const status = toText(raw['status'])
  const policyInRecord = toText(raw['policyInRecord'])
  const search = toText(raw['search']).trim().slice(0, maxSearchLength)
  const cursor = toText(raw['cursor'])
  const page = Number(toText(raw['page']))
  const verification = toText(raw['verification'])
  const patient = toText(raw['patient'])
  const hasPage = Number.isSafeInteger(page) && page > 1 && cursor !== '' && cursor.length <= maxCursorLength
  return {
    ...(isStatus(status) ? { status } : {}),
    ...(isPolicyInRecord(policyInRecord) ? { policyInRecord } : {}),
    ...(search ? { search } : {}),
    ...(hasPage ? { page, cursor } : {}),
    ...(idPattern.test(verification) ? { verification } : {}),
    ...(toText(raw['new']) === 'true' || raw['new'] === true ? { new: true as const } : {}),
    ...(idPattern.test(patient) ? { patient } : {}),
  }
}

/** The filters of the list without its page. */
export const toFilters = ({ status, policyInRecord, search }: InsuranceSearch): InsuranceSearch => ({
  ...(status ? { status } : {}),
  ...(policyInRecord ? { policyInRecord } : {}),
  ...(search ? { search } : {}),
})
