import { createAdministrationsKind } from './administrations.ts'
import { authorizations } from './authorizations.ts'
import { calls } from './calls.ts'
import { documents } from './documents.ts'
import { messages } from './messages.ts'
import { orders } from './orders.ts'
import { referrals } from './referrals.ts'
import { stock } from './stock.ts'
import type { RecordKind } from '#web/entities/records/record-kind.ts'
import { createVitalSignsKind, useVitalSignsPlace } from '#web/entities/vital-signs/vital-signs-kind.ts'
import type { FeatureTabName } from '../feature-texts.ts'

type RecordTabs = Readonly<Record<FeatureTabName, readonly RecordKind[]>>

/** The kinds of records in each tab of the hub that are the same for all practices, the first one by default. */
const recordTabs: RecordTabs = {
  insurance: [authorizations],
  phone: [calls, messages],
  clinical: [documents, referrals],
  supplies: [orders, stock],
}

/** Returns the kinds of records in each tab of the hub; without those that need the practice's time zone and units until it is known. */
export function useRecordTabs(): RecordTabs {
  const place = useVitalSignsPlace()
  if (!place) return recordTabs
  const clinical = [...recordTabs.clinical, createVitalSignsKind(place), createAdministrationsKind(place.zone)]
  return { ...recordTabs, clinical }
}
