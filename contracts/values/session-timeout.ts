import { z } from 'zod'

/** Minutes after which an unused session of a practice's member ends (spec page 2, section 5.3). */
export const SessionTimeout = z.union([z.literal(30), z.literal(60), z.literal(120)])
export type SessionTimeout = z.infer<typeof SessionTimeout>

export const sessionTimeouts: readonly SessionTimeout[] = [30, 60, 120]

/** The timeout of practices that chose none, and of users without a practice. */
export const defaultSessionTimeout: SessionTimeout = 60
