import type { LiveUpdateRule } from '#web/api/live-updates.ts'

const lists = ['patients'] as const
/** Apart from the lists: a saved patient updates the details itself and invalidates the lists only. */
const details = ['patient'] as const

/** Query keys of patients. */
export const patientKeys = {
  lists,
  /** Pages of the patient list. */
  pages: [...lists, 'list'],
  page: (query: object) => [...lists, 'list', query],
  recent: [...lists, 'recent'],
  paletteResults: (search: string) => [...lists, 'palette', search],
  pickerResults: (search: string) => [...lists, 'picker', search],
  one: (patientId: string) => [...details, patientId],
} as const

export const patientLiveUpdates: LiveUpdateRule = { queryKeys: { patients: [lists, details] } }
