import type { Pool } from 'pg'
import { Role } from '#contracts/values/roles.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { type Client, createClient } from '#tests/support/client.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import type { CallerName } from './requests.ts'
import type { RecordId } from './values.ts'

export type Installation = { url: string; pool: Pick<Pool, 'query'> }

/** The ids of a practice's records, the secrets of its checkout and its calendar, and the second page of its patients. */
type Ids = Record<RecordId | 'clientSecret' | 'calendarSecret' | 'cursor', string>

/**
 * A practice with one record of every kind. `unnamedIds` are ids of further records, which no request contains: a request may
 * store an id that it contains as a text, and get it back.
 */
export type FuzzPractice = {
  owner: Client
  ownerId: string
  ids: Ids
  unnamedIds: readonly string[]
  /** The address of its members. Limits per network do not affect the next practice. */
  address: string
}

/** A word that every text of the other practice contains and no request does. */
export const foreignWord = 'Quetzalcoatlus'
/** The date of birth of its patient, which no request contains either. */
export const foreignBirthDate = '1911-11-11'

let practices = 0

/** Sets up a practice whose texts contain a word. */
export async function createFuzzPractice({ url }: Installation, word: string): Promise<FuzzPractice> {
  const address = `10.${(practices >> 8) % 256}.${practices++ % 256}.1`
  const newClient = () => createClient(url, { 'x-forwarded-for': address })
  const { client, user, practice } = await newOwner({ newClient }, { name: `${word} Clinic` })
  const post = async (path: string, body: object) => {
    const { status, body: reply } = await client.post(path, body)
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(reply)}`)
    return reply
  }
  const { id: patientId } = await post('/api/patients', {
    firstName: word,
    lastName: word,
    ...(word === foreignWord ? { dateOfBirth: foreignBirthDate } : {}),
    email: `${word}@example.test`,
    address: word,
    emergencyContact: { name: word },
    insuranceInfo: { provider: word },
    medicalHistory: word,
    allergies: [word],
    medications: [{ name: word }],
    notes: word,
  })
  const { id: providerId } = await post('/api/providers', { name: word })
  const appointment = { patientId, providerId, type: 'check-up', reason: word }
  await post('/api/appointments', { ...appointment, appointmentDate: '2031-03-05T09:00' })
  const recurrence = { every: 1, unit: 'week', count: 3 }
  const series = await post('/api/appointments/series', {
    ...appointment,
    appointmentDate: '2031-06-05T09:00',
    recurrence,
  })
  const { seriesId, appointments } = series as { seriesId: string; appointments: readonly { id: string }[] }
  const appointmentId = appointments[0]?.id ?? ''
  const { id: waitlistEntryId } = await post('/api/waitlist', { patientId, type: 'check-up', notes: word })
  const { id: formId } = await post('/api/forms', { patientId, formType: 'intake', title: word })
  const { invitation } = await post('/api/team/invitations', { email: `${word}.invited@example.test`, role: 'nurse' })
  const calendarFeed = await post('/api/calendar-feeds', { providerId, label: word })
  const { importId } = await post('/api/patients/import', { csv: `First Name,Last Name\nImported,${word}\n` })
  // The import runs in the background; the practice is compared later.
  await waitUntil(
    () => client.get(`/api/patients/import/${importId}`),
    ({ body }) => body.state === 'done',
  )
  const clientSecret = await subscribe(client, 'enterprise')
  // Features are opened by the read model of the account.
  await waitForUserSubscription(client, 'trial')
  const { id: verificationId } = await post('/api/insurance/verify', {
    patientId,
    insuranceProvider: word,
    policyNumber: `${word} 1`,
    memberName: word,
    notes: word,
  })
  const { headers } = await client.get('/api/patients?limit=1')
  const { body: providers } = await client.get('/api/providers')
  const unnamedIds = [...appointments, ...(providers as readonly { id: string }[])].map(({ id }) => id)
  return {
    owner: client,
    ownerId: user.id,
    ids: {
      practiceId: practice.id,
      patientId,
      providerId,
      appointmentId,
      seriesId,
      waitlistEntryId,
      calendarFeedId: calendarFeed.id,
      invitationId: invitation.id,
      calendarSecret: findSecret(calendarFeed.path),
      importId,
      invoiceId: 'none',
      formId,
      verificationId,
      clientSecret,
      cursor: /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1] ?? '',
    },
    unnamedIds: [user.id, ...unnamedIds.filter((id) => id !== providerId && id !== appointmentId)],
    address,
  }
}

const findSecret = (path: string) => path.split('/').at(-2) ?? ''

// oxlint-disable-next-line typescript/no-explicit-any
type Reply = any

/** The ids of the records that accepted requests create or show, by endpoint. */
const newIds: Record<string, (reply: Reply) => Partial<Ids>> = {
  'POST /api/patients': ({ id }) => ({ patientId: id }),
  'POST /api/providers': ({ id }) => ({ providerId: id }),
  'POST /api/appointments': ({ id }) => ({ appointmentId: id }),
  'POST /api/appointments/series': ({ seriesId, appointments }) => ({ seriesId, appointmentId: appointments[0].id }),
  'POST /api/forms': ({ id }) => ({ formId: id }),
  'POST /api/insurance/verify': ({ id }) => ({ verificationId: id }),
  'POST /api/waitlist': ({ id }) => ({ waitlistEntryId: id }),
  'POST /api/calendar-feeds': ({ id, path }) => ({ calendarFeedId: id, calendarSecret: findSecret(path) }),
  'POST /api/team/invitations': ({ invitation }) => ({ invitationId: invitation.id }),
  'POST /api/patients/import': ({ importId }) => ({ importId }),
  'POST /api/create-subscription': ({ clientSecret }) => ({ clientSecret }),
  'GET /api/billing-sandbox/portal': ({ invoices }) =>
    invoices.length > 0 ? { invoiceId: invoices[0].invoiceId } : {},
}

/** Notes the ids of new records for later requests, because requests also remove what they name. */
export function noteNewIds({ ids }: FuzzPractice, endpoint: string, reply: string): void {
  const find = newIds[endpoint]
  if (find) Object.assign(ids, find(JSON.parse(reply)))
}

/** Returns the cookie of every caller; undefined for a caller without a session. */
export async function signInCallers(
  { url }: Pick<Installation, 'url'>,
  { owner, address, ids: { practiceId } }: FuzzPractice,
): Promise<Record<CallerName, string | undefined>> {
  const app = { newClient: () => createClient(url, { 'x-forwarded-for': address }) }
  const cookies: Partial<Record<CallerName, string | undefined>> = {
    owner: owner.cookie(),
    visitor: (await newUser(app)).client.cookie(),
    guest: await signInGuest(app),
  }
  for (const role of Role.options) cookies[role] = (await joinPractice(app, practiceId, role)).cookie()
  return { anonymous: undefined, ...cookies } as Record<CallerName, string | undefined>
}

/** Registers a user and signs in again: the one sign-in of a run that is valid for certain. Returns the cookie. */
async function signInGuest(app: { newClient: () => Client }): Promise<string | undefined> {
  const { client, registration } = await newUser(app)
  const { status } = await client.post('/api/login', { email: registration.email, password })
  if (status !== 200) throw new Error(`sign-in: ${status}`)
  return client.cookie()
}

const lists = [
  '/api/patients?limit=500',
  '/api/appointments?startDate=2031-03-01T00:00:00Z&endDate=2031-04-01T00:00:00Z',
  '/api/appointments?startDate=2031-06-01T00:00:00Z&endDate=2031-07-01T00:00:00Z',
  '/api/providers',
  '/api/waitlist',
  '/api/forms',
  '/api/insurance',
  '/api/calendar-feeds',
  '/api/team',
  '/api/patients/import',
  '/api/appointment-types',
  '/api/notifications/preferences',
  '/api/subscription/status',
]

/** Returns everything that a practice shows, to compare it later; without the time of the provider's clock. */
export async function readPractice({ owner, ids }: FuzzPractice): Promise<Record<string, unknown>> {
  const paths = [...lists, `/api/practices/${ids.practiceId}`, `/api/appointments/series/${ids.seriesId}`]
  const replies = await Promise.all(
    paths.map(async (path) => {
      const { body } = await owner.get(path)
      return [path, path === '/api/subscription/status' ? { ...body, asOf: null } : body] as const
    }),
  )
  return Object.fromEntries(replies)
}

/** Returns whether a request wrote events. */
export async function hasEventsOf({ pool }: Installation, correlationId: string): Promise<boolean> {
  const { rows } = await pool.query(`select 1 from es.events where metadata::jsonb ->> 'correlationId' = $1 limit 1`, [
    correlationId,
  ])
  return rows.length > 0
}

/** Returns the streams with events of two practices, and those of a practice with events of users who are not its owner. */
export async function findForeignEvents({ pool }: Installation, { ownerId, ids }: FuzzPractice): Promise<string[]> {
  const { rows } = await pool.query<{ stream: string; types: string }>(
    `select stream, string_agg(distinct type, ', ') as types
       from (select stream, type, metadata::jsonb ->> 'practiceId' as practice_id,
                    metadata::jsonb -> 'actor' ->> 'userId' as user_id
               from es.events) e
      group by stream
     having count(distinct practice_id) > 1 or bool_or(practice_id = $1 and user_id <> $2)`,
    [ids.practiceId, ownerId],
  )
  return rows.map(({ stream, types }) => `${stream} (${types})`)
}
