import type { Services } from '#modules/module.ts'
import { insuranceSettings } from './eligibility/settings.ts'
import { verificationReader } from './queries.ts'

/** Returns whether this installation can ask insurers. */
export const hasClearinghouse = (services: Services): boolean => insuranceSettings.read(services).clearinghouse !== null

/** Reads the insurance verifications of a scope. Does not check what a caller may read of them. */
export const verifications = verificationReader
