import { createMediaQueryHook } from './use-media-query.ts'

/**
 * Returns whether a list has less than 720 px, so that it becomes cards: a table would cut off names and dates of birth there, which
 * identify patients. Gutters take 48 px of the window and, from 768 px on, the sidebar another 256.
 */
export const useIsNarrow = createMediaQueryHook('(max-width: 1023px)')

/** Returns whether a list has less than 976 px: tables leave out what their details show as well. */
export const useIsTight = createMediaQueryHook('(max-width: 1279px)')
