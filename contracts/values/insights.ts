import { z } from 'zod'

/** The rules from which insights follow, the most urgent first. */
export const InsightRule = z.enum([
  'urgent-findings',
  'allergy-conflicts',
  'deceased-booked',
  'unconfirmed-tomorrow',
  'coverage-ending',
  'coverage-unverified',
  'other-policy',
  'forms-waiting',
  'notes-missing',
  'repeated-no-shows',
  'no-contact',
  'empty-hours',
  'duplicate-patients',
  'overdue-follow-up',
])
export type InsightRule = z.infer<typeof InsightRule>

/** Kinds of insights (spec page 2, section 4.6). */
export const InsightType = z.enum(['alert', 'optimization', 'recommendation'])
export type InsightType = z.infer<typeof InsightType>

export const InsightPriority = z.enum(['high', 'medium', 'low'])
export type InsightPriority = z.infer<typeof InsightPriority>

/** Decisions of a user about an insight. */
export const InsightDecisionKind = z.enum(['dismissed', 'snoozed', 'done'])
export type InsightDecisionKind = z.infer<typeof InsightDecisionKind>

/** The most records that an insight names; `basedOnTotal` counts all of them. */
export const maxBasedOn = 10

/** The longest time for which an insight is snoozed, in days. */
export const maxSnoozeDays = 90

/** The fewest decisions of a month from which an accuracy is computed. */
export const minDecisionsForAccuracy = 5
