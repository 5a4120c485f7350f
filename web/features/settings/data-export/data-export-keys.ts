import type { LiveUpdateRule } from '#web/api/live-updates.ts'

/** Query keys of data exports. */
export const dataExportKeys = { list: ['data-exports'] } as const

export const dataExportLiveUpdates: LiveUpdateRule = { queryKeys: { 'data-exports': [dataExportKeys.list] } }
