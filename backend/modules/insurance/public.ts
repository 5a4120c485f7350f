import { verificationReader } from './queries.ts'

/** Reads the insurance verifications of a scope. Does not check what a caller may read of them. */
export const verifications = verificationReader
