import { authorizations } from './authorizations.ts'
import { calls } from './calls.ts'
import { documents } from './documents.ts'
import { messages } from './messages.ts'
import { orders } from './orders.ts'
import { referrals } from './referrals.ts'
import { stock } from './stock.ts'
import type { RecordKind } from '#web/entities/records/record-kind.ts'
import type { FeatureTabName } from '../feature-texts.ts'

/** The kinds of records in each tab of the hub, the first one by default. */
export const recordTabs: Readonly<Record<FeatureTabName, readonly RecordKind[]>> = {
  insurance: [authorizations],
  phone: [calls, messages],
  clinical: [documents, referrals],
  supplies: [orders, stock],
}
