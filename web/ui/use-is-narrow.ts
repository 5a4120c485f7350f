import { createMediaQueryHook } from './use-media-query.ts'

/**
 * Returns whether a list has less than 640 px, so that it becomes cards: a table would cut off names and dates of birth there, which
 * identify patients. Gutters take 48 px of the window and, from 768 px on, the sidebar another 256.
 */
export const useIsNarrow = createMediaQueryHook('(max-width: 687px), (min-width: 768px) and (max-width: 943px)')
