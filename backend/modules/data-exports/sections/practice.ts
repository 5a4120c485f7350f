import { AppointmentType } from '#contracts/values/appointments.ts'
import { Weekday } from '#contracts/values/working-hours.ts'
import { findMembers } from '#modules/accounts/public.ts'
import { findProviders } from '#modules/providers/public.ts'
import { findWorkCalendar } from '#modules/working-hours/public.ts'
import * as csv from '../csv.ts'
import type { ExportRun } from '../export-run.ts'
import * as fhir from '../fhir.ts'

/** All dates that closures can have. */
const allDates = { from: '0001-01-01', until: '9999-12-31' }

/** Writes the providers and the members of the practice. */
export async function writeStaff({ services: { db }, practiceId, files, counts }: ExportRun): Promise<void> {
  const providers = await findProviders(db, practiceId)
  const pairs = providers.map(fhir.toPractitioner)
  await (await files.addTable('providers', csv.providerColumns)).write(providers)
  await files.addResources('Practitioner').write(pairs.map(([practitioner]) => practitioner))
  await files.addResources('PractitionerRole').write(pairs.map(([, role]) => role))
  counts.providers = providers.length
  const members = await findMembers(db, practiceId)
  await (await files.addTable('members', csv.memberColumns)).write(members)
  counts.members = members.length
}

/** Writes the practice with its types of appointments, its hours and the days on which it is closed. */
export async function writePractice({ services: { db }, practiceId, practice, files }: ExportRun): Promise<void> {
  await (await files.addTable('practice', csv.practiceColumns)).write([practice])
  const { appointmentTypes } = practice.settings
  const types = AppointmentType.options.map((type) => ({ type, ...appointmentTypes[type] }))
  await (await files.addTable('appointment_types', csv.appointmentTypeColumns)).write(types)
  const { week, closures } = await findWorkCalendar(db, practiceId, allDates)
  const days = week ? Weekday.options.map((weekday) => ({ weekday, hours: week[weekday] })) : []
  await (await files.addTable('working_hours', csv.workingHoursColumns)).write(days)
  await (await files.addTable('closures', csv.closureColumns)).write(closures)
  await files.addResources('Organization').write([fhir.toOrganization(practice)])
}
