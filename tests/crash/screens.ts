import type { ImportStatus } from '#contracts/patient-import.ts'
import { type Client, createClient } from '#tests/support/client.ts'
import type { SimulatedUser, Practice } from './clerks.ts'
import type { ExpectedPatient, EventLogState } from './record.ts'

type ListedPatient = {
  id: string
  importId: string | null
  firstName: string
  lastName: string
  phone: string | null
  revision: number
}

/**
 * Whether what people see is what the record says: sessions, every patient, every import. Answers what is not. What
 * jobs were still at when the record was read, by the ids of the imports, may be further on screen; null: perhaps any.
 */
export async function checkApi(
  clerks: readonly SimulatedUser[],
  story: EventLogState,
  underWay: ReadonlySet<string> | null,
): Promise<string[]> {
  const problems: string[] = []
  for (const clerk of clerks) problems.push(...(await checkSessions(clerk)))
  for (const practice of new Set(clerks.map((clerk) => clerk.practice))) {
    const clerk = clerks.find((one) => one.practice === practice && one.signedIn === true)
    // Whose every session was just being begun or ended is looked at after the next kill.
    if (clerk) problems.push(...(await checkPractice(clerk.client, practice, story, underWay)))
  }
  return problems
}

async function checkSessions(clerk: SimulatedUser): Promise<string[]> {
  const problems: string[] = []
  if (clerk.signedIn === true) {
    const { status } = await clerk.client.get('/api/user')
    if (status !== 200) problems.push(`a session of before is not valid any more: ${status}`)
  }
  for (const cookie of clerk.endedCookies.splice(0)) {
    const browser = createClient(clerk.client.url)
    browser.setCookie(cookie)
    const { status } = await browser.get('/api/user')
    if (status !== 401) problems.push(`a session that was signed out is valid again: ${status}`)
  }
  return problems
}

async function checkPractice(
  client: Client,
  practice: Practice,
  story: EventLogState,
  underWay: ReadonlySet<string> | null,
): Promise<string[]> {
  const mayMove = (importId: string | null) => importId !== null && (underWay === null || underWay.has(importId))
  const problems: string[] = []
  const expected = new Map([...story.patients].filter(([, { practiceId }]) => practiceId === practice.id))
  for (const [importId, { practiceId }] of story.imports) {
    if (practiceId !== practice.id) continue
    const { status, body } = await client.get(`/api/patients/import/${importId}`)
    const state = (body as ImportStatus).state as string
    if (status !== 200) problems.push(`import ${importId} is not on screen: ${status}`)
    else if (state === 'failed') problems.push(`import ${importId} was given up`)
  }
  const shown = await listAllPatients(client)
  if (new Set(shown.map(({ id }) => id)).size !== shown.length) problems.push('a patient is listed twice')
  practice.patients.clear()
  for (const { id, ...patient } of shown) {
    const due = expected.get(id)
    expected.delete(id)
    if (due) problems.push(...comparePatient(id, due, patient))
    // What a job brings while we look is in no record yet that we read; it is held against it after the next kill.
    else if (!mayMove(patient.importId)) problems.push(`patient ${id} is on screen and not in the record`)
    if (patient.firstName === 'Added') practice.patients.set(id, { revision: patient.revision })
  }
  for (const [id, { importId }] of expected)
    if (!mayMove(importId)) problems.push(`patient ${id} is in the record, not on screen`)
  return problems
}

function comparePatient(
  id: string,
  due: ExpectedPatient,
  { firstName, lastName, phone, revision }: Omit<ListedPatient, 'id'>,
): string[] {
  const isThere = `${firstName} ${lastName}` === due.name && phone === due.phone && revision === due.revision
  return isThere ? [] : [`patient ${id} is on screen with revision ${revision} and must be ${due.revision}, or differs`]
}

async function listAllPatients(client: Client): Promise<ListedPatient[]> {
  const shown: ListedPatient[] = []
  for (let path: string | undefined = '/api/patients?limit=500'; path;) {
    const answer = await client.get(path)
    if (answer.status !== 200) throw new Error(`the list of patients answers ${answer.status}`)
    shown.push(...(answer.body as ListedPatient[]))
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return shown
}
