import { patientIdForRow } from '#modules/patients/import/run-import.ts'
import { checkLog, describeLog, type LogPrefix, type StoredEvent } from './event-log.ts'
import type { Operation, RequestEntry, RequestLog } from './request-log.ts'

/** A patient as the API must return it. */
export type ExpectedPatient = {
  practiceId: string
  name: string
  phone: string | null
  revision: number
  importId: string | null
}

/** The state of an import according to the event log. */
export type ImportState = { practiceId: string; people: readonly Person[]; registered: number; last: string }
type Person = { firstName: string; lastName: string }

/** An appointment that is booked and not cancelled. `isChanging`: a job cancels it, because its patient was removed. */
export type ExpectedAppointment = { practiceId: string; isChanging: boolean }

/** The state derived from the event log. `hasOpenReservations`: jobs have yet to book or move appointments. */
export type EventLogState = LogPrefix & {
  problems: string[]
  patients: Map<string, ExpectedPatient>
  imports: Map<string, ImportState>
  appointments: Map<string, ExpectedAppointment>
  hasOpenReservations: boolean
}

/**
 * Compares the event log with the logged requests: every acknowledged event is stored once, nothing refused is stored, and
 * operations that were cut off are stored completely or not at all.
 */
export function checkEventLog(rows: readonly StoredEvent[], requestLog: RequestLog, before: LogPrefix): EventLogState {
  const problems = checkLog(rows, before)
  const byRequest = Map.groupBy(rows, ({ correlationId }) => correlationId)
  const unrequested = rows.filter(({ correlationId }) => !requestLog.find(correlationId))
  for (const { type, actorKind } of unrequested) if (actorKind === 'user') problems.push(`${type} was never requested`)
  // The rows of an import share one cause, and so do the events of the sandbox; every other cause leads to the same event once.
  const reacting = rows.filter(
    ({ type, stream, actorKind }) =>
      actorKind === 'process' && !importEvents.includes(type) && !stream.startsWith('sandbox-'),
  )
  // The removal of a patient leads to the same event in each of the patient's appointments, several of which may be on one day.
  const toPlace = ({ stream }: StoredEvent) => (/^(appointment|confirmation)-/.test(stream) ? ` in ${stream}` : '')
  const once = reacting.filter(({ stream }) => !stream.startsWith('schedule-'))
  const reactions = Map.groupBy(once, (event) => `${event.type}${toPlace(event)} caused by ${event.causationId}`)
  for (const [what, each] of reactions) if (each.length > 1) problems.push(`${each.length} times ${what}`)
  const imports = new Map<string, ImportState>()
  const targets = Map.groupBy([...requestLog.entries()].flatMap(toTarget), (target) => target)
  for (const entry of requestLog.entries()) {
    const events = byRequest.get(entry.id) ?? []
    // A move to the time at which the appointment is already changes nothing.
    const hasNoEffect = events.length === 0 && (targets.get(toTarget(entry).join())?.length ?? 0) > 1
    const problem = hasNoEffect ? undefined : checkEntry(entry, events, imports)
    if (problem) problems.push(`${entry.operation.kind} (${entry.outcome}, ${entry.status ?? 'no reply'}): ${problem}`)
  }
  const patients = deriveExpectedPatients(rows, requestLog, imports, problems)
  const appointments = deriveExpectedAppointments(rows, requestLog, patients)
  const count = (pattern: RegExp) => rows.filter(({ type }) => pattern.test(type)).length
  const hasOpenReservations = count(/^SlotReservedFor/) > count(/^Appointment(Booked|Rescheduled)$/)
  return { problems, ...describeLog(rows), patients, imports, appointments, hasOpenReservations }
}

const listTypes = (events: readonly StoredEvent[] = []) => events.map(({ type }) => type).join(', ')

/** The events that a request stores at once. Events of its jobs are checked separately. */
const immediateEvents: Record<Exclude<Operation['kind'], 'book' | 'move' | 'cancel'>, readonly string[]> = {
  register: ['EmailReserved', 'UsernameReserved', 'UserRegistered', 'SignedIn'],
  'set up': ['PracticeSetUp'],
  'choose plan': ['CheckoutStarted', 'SubscriptionStarted'],
  // The sandbox plays an external system: its events do not belong to the request.
  pay: [],
  'sign in': ['SignedIn'],
  'sign out': ['SignedOut'],
  add: ['PatientRegistered'],
  'change phone': ['PatientContactChanged'],
  remove: ['PatientRemoved'],
  import: ['ImportRequested'],
  undo: ['ImportUndoRequested'],
}
const eventsFromJobs: Partial<Record<Operation['kind'], readonly string[]>> = {
  'set up': ['ProviderAdded'],
  import: ['PatientRegistered', 'ImportProgressed', 'ImportFinished'],
  undo: ['PatientRemoved', 'ImportUndone'],
}
const importEvents = [...(eventsFromJobs.import ?? []), ...(eventsFromJobs.undo ?? [])]

function checkEntry(
  entry: RequestEntry,
  allEvents: readonly StoredEvent[],
  imports: Map<string, ImportState>,
): string | undefined {
  const { operation, outcome, response } = entry
  // The record of a refusal is not a change.
  const events = allEvents.filter(({ type }) => type !== 'RequestRefused')
  if (operation.kind === 'book' || operation.kind === 'move' || operation.kind === 'cancel')
    return checkSchedulingEntry(entry, operation.kind, events)
  const later = eventsFromJobs[operation.kind] ?? []
  // Jobs cancel the appointments of a removed patient.
  const immediate = events.filter(
    ({ type, actorKind }) => !later.includes(type) && (operation.kind !== 'remove' || actorKind === 'user'),
  )
  const expected = immediateEvents[operation.kind]
  if (outcome === 'refused' && events.length > 0) return `was stored: ${listTypes(events)}`
  // A second undo of the same import stores no event.
  const isThere = listTypes(immediate) === expected.join(', ') || (operation.kind === 'undo' && events.length === 0)
  if (outcome === 'done' && !isThere) return `was acknowledged, but stored are ${listTypes(events) || 'nothing'}`
  // The database was gone when the session that had begun was confirmed: the sign-in has taken it back.
  const isTakenBack = operation.kind === 'sign in' && listTypes(immediate) === 'SignedIn, SignedOut'
  if (outcome === 'unknown' && immediate.length > 0 && !isThere && !isTakenBack)
    return `is stored partially: ${listTypes(events)}`
  const [first] = immediate
  if (!first) return events.length > 0 ? `events without a request: ${listTypes(events)}` : undefined
  if (response?.revision !== undefined && first.revision !== response.revision && operation.kind !== 'set up')
    return `was acknowledged with revision ${response.revision} and is ${first.revision}`
  if (response?.id && operation.kind === 'add' && first.stream !== `patient-${response.id}`)
    return 'is a different record'
  if (operation.kind === 'import') {
    const id = first.stream.slice('import-'.length)
    const registered = events.filter(({ type }) => type === 'PatientRegistered').length
    const last = events.at(-1)?.type ?? ''
    imports.set(id, { practiceId: operation.practiceId, people: operation.people, registered, last })
    if (registered > operation.people.length) return `${registered} patients out of ${operation.people.length} rows`
    if (last === 'ImportFinished' && registered !== operation.people.length)
      return `finished with ${registered} of ${operation.people.length}`
  }
  return undefined
}

/** Returns the appointment that a request books or moves, and the time. */
function toTarget({ operation, response }: RequestEntry): string[] {
  if (operation.kind === 'move') return [`${operation.appointmentId} ${operation.startsAt}`]
  return operation.kind === 'book' ? [`${response?.id} ${operation.startsAt}`] : []
}

/** The events with which a request reserves a slot, and with which its appointment takes the slot. */
const schedulingEvents = {
  book: ['SlotReservedForBooking', 'AppointmentBooked'],
  move: ['SlotReservedForMove', 'AppointmentRescheduled'],
  cancel: ['SlotReleased', 'AppointmentCancelled'],
} as const

/** Checks the events of a user about an appointment. A job may complete what was cut off, in the name of the user. */
function checkSchedulingEntry(
  { outcome, response }: RequestEntry,
  kind: keyof typeof schedulingEvents,
  allEvents: readonly StoredEvent[],
): string | undefined {
  const events = allEvents.filter(({ actorKind }) => actorKind === 'user')
  const [reserved, adopted] = schedulingEvents[kind]
  const count = (type: string) => events.filter((event) => event.type === type).length
  const change = events.find(({ type }) => type === adopted)
  if (count(adopted) > 1 || (kind !== 'cancel' && count(reserved) > 1)) return `is stored twice: ${listTypes(events)}`
  if (outcome === 'refused' && change) return `was stored: ${listTypes(events)}`
  if (kind === 'cancel') return undefined
  if (change && count(reserved) === 0) return `has no reservation: ${listTypes(events)}`
  if (outcome === 'done' && !change) return `was acknowledged, but stored are ${listTypes(events) || 'nothing'}`
  if (outcome === 'done' && kind === 'book' && change?.stream !== `appointment-${response?.id}`)
    return 'is a different record'
  return undefined
}

/** Derives the appointments that are booked and not cancelled. */
function deriveExpectedAppointments(
  events: readonly StoredEvent[],
  requestLog: RequestLog,
  patients: ReadonlyMap<string, ExpectedPatient>,
): Map<string, ExpectedAppointment> {
  const appointments = new Map<string, ExpectedAppointment>()
  for (const { stream, type, correlationId } of events) {
    const operation = requestLog.find(correlationId)?.operation
    const id = stream.slice('appointment-'.length)
    if (type === 'AppointmentBooked' && operation?.kind === 'book')
      appointments.set(id, { practiceId: operation.practiceId, isChanging: !patients.has(operation.patientId) })
    if (type === 'AppointmentCancelled') appointments.delete(id)
  }
  return appointments
}

/** Derives the expected patients from the requests, in the order of the event log. */
function deriveExpectedPatients(
  events: readonly StoredEvent[],
  requestLog: RequestLog,
  imports: ReadonlyMap<string, ImportState>,
  problems: string[],
): Map<string, ExpectedPatient> {
  const rows = mapImportRows(imports)
  const patients = new Map<string, ExpectedPatient>()
  for (const { stream, revision, type, correlationId } of events) {
    const operation = requestLog.find(correlationId)?.operation
    if (!operation || !stream.startsWith('patient-')) continue
    const id = stream.slice('patient-'.length)
    const existing = patients.get(id)
    if (type === 'PatientRegistered') {
      if (revision !== 0) problems.push(`patient ${id} is registered twice`)
      const { practiceId } = operation as { practiceId: string }
      const name = operation.kind === 'add' ? `${operation.firstName} ${operation.lastName}` : rows.get(stream)?.name
      if (name === undefined) problems.push(`patient ${id} belongs to no import row`)
      const phone = operation.kind === 'add' ? operation.phone : null
      patients.set(id, { practiceId, name: name ?? '', phone, revision, importId: rows.get(stream)?.importId ?? null })
    } else if (!existing) problems.push(`patient ${id} was changed before it was registered`)
    else if (type === 'PatientRemoved') patients.delete(id)
    else if (operation.kind === 'change phone') patients.set(id, { ...existing, phone: operation.phone, revision })
  }
  return patients
}

/** Maps the stream that each import row must have become to its import and name. */
function mapImportRows(imports: ReadonlyMap<string, ImportState>): Map<string, { importId: string; name: string }> {
  const rows = new Map<string, { importId: string; name: string }>()
  for (const [importId, { people }] of imports)
    for (const [index, { firstName, lastName }] of people.entries())
      rows.set(`patient-${patientIdForRow(importId, index + 2)}`, { importId, name: `${firstName} ${lastName}` })
  return rows
}
