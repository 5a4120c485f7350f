import { accounts } from '#modules/accounts/module.ts'
import { analytics } from '#modules/analytics/module.ts'
import { appointmentTypes } from '#modules/appointment-types/module.ts'
import { appointments } from '#modules/appointments/module.ts'
import { audit } from '#modules/audit/module.ts'
import { automation } from '#modules/automation/module.ts'
import { billing } from '#modules/billing/module.ts'
import { calendarFeeds } from '#modules/calendar-feeds/module.ts'
import { callLogs } from '#modules/call-logs/module.ts'
import { changes } from '#modules/changes/module.ts'
import { chat } from '#modules/chat/module.ts'
import { clinicalDocumentation } from '#modules/clinical-documentation/module.ts'
import { confirmations } from '#modules/confirmations/module.ts'
import { dashboard } from '#modules/dashboard/module.ts'
import { dataExports } from '#modules/data-exports/module.ts'
import { erasures } from '#modules/erasures/module.ts'
import { forms } from '#modules/forms/module.ts'
import { assistant } from '#modules/assistant/module.ts'
import { insights } from '#modules/insights/module.ts'
import { insurance } from '#modules/insurance/module.ts'
import { integrations } from '#modules/integrations/module.ts'
import { integrity } from '#modules/integrity/module.ts'
import type { Module } from '#modules/module.ts'
import { newsletter } from '#modules/newsletter/module.ts'
import { notifications } from '#modules/notifications/module.ts'
import { patientCommunications } from '#modules/patient-communications/module.ts'
import { patients } from '#modules/patients/module.ts'
import { practices } from '#modules/practices/module.ts'
import { priorAuthorizations } from '#modules/prior-authorizations/module.ts'
import { providers } from '#modules/providers/module.ts'
import { records } from '#modules/records/module.ts'
import { referrals } from '#modules/referrals/module.ts'
import { safeguards } from '#modules/safeguards/module.ts'
import { samples } from '#modules/samples/module.ts'
import { schedule } from '#modules/schedule/module.ts'
import { series } from '#modules/series/module.ts'
import { stockItems } from '#modules/stock-items/module.ts'
import { medicationAdministrations } from '#modules/medication-administrations/module.ts'
import { vitalSigns } from '#modules/vital-signs/module.ts'
import { supplyOrders } from '#modules/supply-orders/module.ts'
import { team } from '#modules/team/module.ts'
import { waitlist } from '#modules/waitlist/module.ts'
import { workingHours } from '#modules/working-hours/module.ts'

/** The modules of the product, in the order in which they seed sample data and mount their routes. */
export const modules: readonly Module[] = [
  accounts,
  practices,
  team,
  patients,
  providers,
  schedule,
  // Before appointments: their paths below /api/appointments/ must not match as the id of an appointment.
  series,
  calendarFeeds,
  appointments,
  waitlist,
  workingHours,
  appointmentTypes,
  billing,
  newsletter,
  samples,
  dashboard,
  assistant,
  insights,
  integrations,
  forms,
  records,
  insurance,
  priorAuthorizations,
  callLogs,
  clinicalDocumentation,
  referrals,
  supplyOrders,
  vitalSigns,
  medicationAdministrations,
  stockItems,
  patientCommunications,
  confirmations,
  automation,
  analytics,
  chat,
  dataExports,
  safeguards,
  notifications,
  changes,
  erasures,
  integrity,
  audit,
]
