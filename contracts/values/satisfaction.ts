import { z } from 'zod'

/** The best score. */
export const maxScore = 5

/** The answer of a patient to the question about an appointment: 1, very poor, to 5, very good. */
export const SatisfactionScore = z.int().min(1).max(maxScore)
export type SatisfactionScore = z.infer<typeof SatisfactionScore>

/** Scores up to this one are followed up by the practice. */
export const poorScore = 2

/** The length of a comment beside an answer, in characters. */
export const maxComment = 1_000

const answerDays = 30
const dayMs = 86_400_000

/** Returns whether a question may still be answered: for 30 days from the instant (ISO) at which it was due. */
export const isAnswerable = (dueAt: string, now: string): boolean =>
  Date.parse(now) < Date.parse(dueAt) + answerDays * dayMs
