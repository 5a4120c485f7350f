import type { PracticeId, UserId } from '#contracts/values/ids.ts'
import { isCoverageOver, type VerificationStatus } from '#contracts/values/insurance.ts'
import { reject } from '#eventstore/decider.ts'
import { type RecordCommand, recordDecider } from '#modules/records/public.ts'
import { type VerificationDefinition, verificationEvents } from './events.ts'
import { policyFields } from './policy-fields.ts'

export type VerificationCommand = RecordCommand<VerificationDefinition>
type VerificationMove = Extract<VerificationCommand, { type: 'Move' }>
type Fields = Extract<VerificationCommand, { type: 'Create' }>['fields']

/**
 * The rules of a verification: a person verifies or denies it, and it expires once its coverage is over. A coverage that is over
 * is neither verified nor pending.
 */
export const verificationDecider = recordDecider(verificationEvents, {
  category: 'insurance',
  noun: 'verification',
  rules(command, { fields: { expiryDate } }) {
    if (command.type === 'Change' || command.event === 'InsuranceDenied') return undefined
    const isOver = isCoverageOver(expiryDate, command.today)
    if (command.event === 'InsuranceExpired')
      return isOver && command.data.expiryDate === expiryDate
        ? undefined
        : reject('coverage-lasts', 'This coverage is not over.', 'expiryDate')
    return isOver
      ? reject('coverage-over', 'This coverage is over. Enter a later expiry date.', 'expiryDate')
      : undefined
  },
})

type Circumstances = {
  /** Null for a new verification. */
  before: { status: VerificationStatus; fields: Fields } | null
  after: Fields
  /** The status that the user chose; undefined for none. */
  chosen: Exclude<VerificationStatus, 'expired'> | undefined
  practiceId: PracticeId
  /** Null for the clearinghouse. */
  userId: UserId | null
  /** The date in the practice's time zone, YYYY-MM-DD. */
  today: string
}

/** Returns the command that gives a verification its status after it was added or changed; null when it keeps its status. */
export function findMove(circumstances: Circumstances): VerificationMove | null {
  const { before, after, chosen, practiceId, userId, today } = circumstances
  const { expiryDate } = after
  const status = before?.status ?? 'pending'
  const move = { type: 'Move', practiceId, today } as const
  const data = { verifiedBy: userId, verifiedOn: today }
  if (chosen === 'verified') return { ...move, event: 'InsuranceVerified', data }
  if (chosen === 'denied') return { ...move, event: 'InsuranceDenied', data }
  const reopen = { ...move, event: 'InsuranceVerificationReopened', data: {} } as const
  if (chosen === 'pending' && status !== 'pending') return reopen
  if (expiryDate !== null && isCoverageOver(expiryDate, today))
    return isOpen(status) ? { ...move, event: 'InsuranceExpired', data: { expiryDate } } : null
  const isOtherPolicy = before !== null && policyFields.some((field) => before.fields[field] !== after[field])
  return status === 'expired' || (isOtherPolicy && status !== 'pending') ? reopen : null
}

const isOpen = (status: VerificationStatus) => status === 'pending' || status === 'verified'
