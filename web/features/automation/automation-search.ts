import { ConfirmationStatus } from '#contracts/values/confirmations.ts'

/** The six tabs of the hub (spec page 1, section 2). */
export const automationTabs = {
  overview: 'Overview',
  appointments: 'Appointments',
  insurance: 'Insurance',
  phone: 'Phone',
  clinical: 'Clinical',
  supplies: 'Supplies',
} as const
export type AutomationTab = keyof typeof automationTabs

/**
 * Search parameters of the hub. Omitted means the overview. `status`, `page` and `cursor` belong to the list of confirmations, and
 * `confirmation` is the one whose details are open.
 */
export type AutomationSearch = {
  tab?: Exclude<AutomationTab, 'overview'>
  status?: ConfirmationStatus
  page?: number
  cursor?: string
  confirmation?: string
}

const maxCursorLength = 500
const idPattern = /^[0-9a-f-]{36}$/

/** Returns a plain search parameter as text; structured values count as empty. */
const toText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Returns whether a text is a tab of the hub. */
export const isTab = (value: unknown): value is AutomationTab =>
  typeof value === 'string' && Object.hasOwn(automationTabs, value)

/** Parses search parameters and drops invalid ones; a page without its cursor is the first one. */
export function parseAutomationSearch(raw: Record<string, unknown>): AutomationSearch {
  const tab = raw['tab']
  if (!isTab(tab) || tab === 'overview') return {}
  // The lists of records parse their own parameters.
  if (tab !== 'appointments') return { ...raw, tab }
  const status = ConfirmationStatus.safeParse(raw['status'])
  const cursor = toText(raw['cursor'])
  const page = Number(toText(raw['page']))
  const confirmation = toText(raw['confirmation'])
  const hasPage = Number.isSafeInteger(page) && page > 1 && cursor !== '' && cursor.length <= maxCursorLength
  return {
    tab,
    ...(status.success ? { status: status.data } : {}),
    ...(hasPage ? { page, cursor } : {}),
    ...(idPattern.test(confirmation) ? { confirmation } : {}),
  }
}
