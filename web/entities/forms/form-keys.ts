import type { LiveUpdateRule } from '#web/api/live-updates.ts'

const lists = ['forms'] as const
/** Apart from the lists: a saved form updates the details itself and invalidates the lists only. */
const details = ['form'] as const

/** Query keys of forms. */
export const formKeys = {
  lists,
  page: (query: object) => [...lists, 'list', query],
  /** The newest forms, on the dashboard. */
  recent: [...lists, 'recent'],
  /** The forms that wait for a review, in the order of the list. */
  waiting: [...lists, 'waiting'],
  counts: [...lists, 'counts'],
  one: (formId: string) => [...details, formId],
  /** Not refetched by live updates: a version of a template never changes. */
  templates: (query: object) => ['form-templates', query],
} as const

/** A form shows the name of its patient. */
export const formLiveUpdates: LiveUpdateRule = {
  queryKeys: { forms: [lists, details], patients: [lists, details] },
}
