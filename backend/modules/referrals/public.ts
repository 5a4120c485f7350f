import { referralReader } from './queries.ts'

/** Reads the referrals of a scope. Does not check what a caller may read of them. */
export const referrals = referralReader
