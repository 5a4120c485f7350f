import type { Appointment } from '#contracts/appointments.ts'
import type { ImportStatus } from '#contracts/patient-import.ts'
import { type Client, createClient } from '#tests/support/client.ts'
import { bookedDays, type SimulatedUser, type Practice } from './simulated-users.ts'
import type { ExpectedPatient, EventLogState } from './event-log-checks.ts'

type ListedPatient = {
  id: string
  importId: string | null
  firstName: string
  lastName: string
  phone: string | null
  revision: number
}

/**
 * Compares sessions, patients and imports of the API with the event log, and returns the differences. `runningImports` are
 * the imports whose jobs may have advanced since the event log was read; null means possibly any.
 */
export async function checkApi(
  users: readonly SimulatedUser[],
  eventLog: EventLogState,
  runningImports: ReadonlySet<string> | null,
): Promise<string[]> {
  const problems: string[] = []
  for (const user of users) problems.push(...(await checkSessions(user)))
  for (const practice of new Set(users.map((user) => user.practice))) {
    const user = users.find((one) => one.practice === practice && one.signedIn === true)
    // A practice without a known valid session is checked after the next kill.
    if (!user) continue
    problems.push(...(await checkPractice(user.client, practice, eventLog, runningImports)))
    problems.push(...(await checkAppointments(user.client, practice, eventLog)))
  }
  return problems
}

async function checkSessions(user: SimulatedUser): Promise<string[]> {
  const problems: string[] = []
  if (user.signedIn === true) {
    const { status } = await user.client.get('/api/user')
    if (status !== 200) problems.push(`an earlier session is no longer valid: ${status}`)
  }
  for (const cookie of user.endedCookies.splice(0)) {
    const browser = createClient(user.client.url)
    browser.setCookie(cookie)
    const { status } = await browser.get('/api/user')
    if (status !== 401) problems.push(`a session that was signed out is valid again: ${status}`)
  }
  return problems
}

async function checkPractice(
  client: Client,
  practice: Practice,
  eventLog: EventLogState,
  runningImports: ReadonlySet<string> | null,
): Promise<string[]> {
  const mayChange = (importId: string | null) =>
    importId !== null && (runningImports === null || runningImports.has(importId))
  const problems: string[] = []
  const expected = new Map([...eventLog.patients].filter(([, { practiceId }]) => practiceId === practice.id))
  for (const [importId, { practiceId }] of eventLog.imports) {
    if (practiceId !== practice.id) continue
    const { status, body } = await client.get(`/api/patients/import/${importId}`)
    const state = (body as ImportStatus).state as string
    if (status !== 200) problems.push(`import ${importId} is not found: ${status}`)
    else if (state === 'failed') problems.push(`import ${importId} has failed`)
  }
  const listed = await listAllPatients(client)
  if (new Set(listed.map(({ id }) => id)).size !== listed.length) problems.push('a patient is listed twice')
  practice.patients.clear()
  for (const { id, ...patient } of listed) {
    const expectedPatient = expected.get(id)
    expected.delete(id)
    if (expectedPatient) problems.push(...comparePatient(id, expectedPatient, patient))
    // Patients that a job adds during the check are compared after the next kill.
    else if (!mayChange(patient.importId)) problems.push(`patient ${id} is listed and not in the event log`)
    if (patient.firstName === 'Added') practice.patients.set(id, { revision: patient.revision })
  }
  for (const [id, { importId }] of expected)
    if (!mayChange(importId)) problems.push(`patient ${id} is in the event log and not listed`)
  return problems
}

/** Compares the booked days with the event log; no two appointments overlap, because no user has allowed it. */
async function checkAppointments(
  client: Client,
  { id: practice, appointments: known }: Practice,
  { appointments, hasOpenReservations }: EventLogState,
): Promise<string[]> {
  const { from, until } = bookedDays
  const { status, body } = await client.get(`/api/appointments?startDate=${from}&endDate=${until}`)
  if (status !== 200) throw new Error(`the list of appointments replied ${status}`)
  const listed = (body as Appointment[]).filter((appointment) => appointment.status !== 'cancelled')
  const inOrder = listed.toSorted((a, b) => a.appointmentDate.localeCompare(b.appointmentDate))
  const problems = inOrder
    .filter(({ appointmentDate }, index) => appointmentDate < (inOrder[index - 1]?.endsAt ?? ''))
    .map(({ id, appointmentDate }) => `appointment ${id} at ${appointmentDate} overlaps another one`)
  const ids = new Set<string>(listed.map(({ id }) => id))
  for (const [id, { practiceId, isChanging }] of appointments)
    if (practiceId === practice && !isChanging && !ids.has(id))
      problems.push(`appointment ${id} is in the event log and not listed`)
  // A job that completes a booking may have done so since the event log was read.
  for (const id of hasOpenReservations ? [] : ids)
    if (!appointments.has(id)) problems.push(`appointment ${id} is listed and not in the event log`)
  known.clear()
  for (const id of ids) known.add(id)
  return problems
}

function comparePatient(
  id: string,
  expected: ExpectedPatient,
  { firstName, lastName, phone, revision }: Omit<ListedPatient, 'id'>,
): string[] {
  const isEqual =
    `${firstName} ${lastName}` === expected.name && phone === expected.phone && revision === expected.revision
  return isEqual ? [] : [`patient ${id} is listed with revision ${revision}, expected ${expected.revision}, or differs`]
}

async function listAllPatients(client: Client): Promise<ListedPatient[]> {
  const listed: ListedPatient[] = []
  for (let path: string | undefined = '/api/patients?limit=500'; path;) {
    const answer = await client.get(path)
    if (answer.status !== 200) throw new Error(`the list of patients replied ${answer.status}`)
    listed.push(...(answer.body as ListedPatient[]))
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return listed
}
