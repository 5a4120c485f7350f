import type { ChatAction, ChatSource } from '#contracts/assistant.ts'
import type { AppointmentId, FormId, PatientId } from '#contracts/values/ids.ts'

const buildHref = (path: string, search: Record<string, string | undefined>): string => {
  const pairs = Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs as [string, string][])}`
}

/** Returns the address of a day's schedule: everyone's, unless one provider is named. */
export const getScheduleHref = (date: string, providerIds: readonly string[] | null = null): string =>
  buildHref('/appointments', { date, provider: providerIds?.length === 1 ? providerIds[0] : 'all' })

export const getPatientHref = (patientId: PatientId): string => `/patients/${patientId}`

/** Returns the address at which the details of an appointment open over its day. */
export const getAppointmentHref = (date: string, id: AppointmentId): string =>
  buildHref('/appointments', { date, provider: 'all', appointment: id })

export const getFormHref = (formId: FormId): string => `/forms/${formId}`

/** Returns the address of the list of patients that a search finds. */
export const getPatientSearchHref = (search: string): string => buildHref('/patients', { search: search.slice(0, 200) })

export const toPatientSource = ({ id, name }: { id: PatientId; name: string }): ChatSource => ({
  kind: 'patient',
  id,
  label: name,
  href: getPatientHref(id),
})

/** A link that opens the form for a new appointment, with what is known filled in. */
export const toBookingAction = (known: { date?: string; time?: string; providerId?: string } = {}): ChatAction => ({
  label: 'Schedule appointment',
  href: buildHref('/appointments', { date: known.date, time: known.time, provider: known.providerId, new: 'true' }),
})

export const addPatientAction: ChatAction = { label: 'Add patient', href: '/patients?new=true' }
export const createFormAction: ChatAction = { label: 'Create form', href: '/forms?new=true' }
