import type { Pool } from 'pg'
import { Role } from '#contracts/values/roles.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { type Client, createClient } from '#tests/support/client.ts'
import { joinPractice, newMember } from '#tests/support/members.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import type { CallerName } from './requests.ts'

export type Installation = { url: string; pool: Pick<Pool, 'query'> }

/**
 * The ids of a practice's records by their names (see `getRecordName`), the secrets of its checkout and its calendar, and the second
 * page of its patients.
 */
type Ids = Record<string, string | undefined>

/**
 * A practice with one record of every kind. `unnamedIds` are ids of further records, which no request contains: a request may
 * store an id that it contains as a text, and get it back.
 */
export type FuzzPractice = {
  owner: Client
  /** The ids of the owner, and of the member who calls nothing. */
  userIds: readonly string[]
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
  const patient = {
    firstName: word,
    lastName: word,
    dateOfBirth: word === foreignWord ? foreignBirthDate : '1950-05-05',
    email: `${word}@example.test`,
    address: word,
    emergencyContact: { name: word },
    insuranceInfo: { provider: word },
    medicalHistory: word,
    allergies: [word],
    medications: [{ name: word }],
    notes: word,
  }
  const { id: patientId } = await post('/api/patients', patient)
  // Two records of one person are an insight.
  const { id: duplicateId } = await post('/api/patients', { ...patient, allowDuplicate: true })
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
  const { url: formUrl } = await post(`/api/forms/${formId}/link`, {})
  const { access: formAccess } = await post('/api/patient-forms/open', {
    token: findLast(formUrl),
    dateOfBirth: patient.dateOfBirth,
  })
  const { invitation, link } = await post('/api/team/invitations', {
    email: `${word}.invited@example.test`,
    role: 'nurse',
  })
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
  const recordIds = await addRecords(post, patientId, word)
  const [insight] = (await client.get('/api/ai/insights')).body as { id: string }[]
  // A member who calls nothing, and may be changed.
  const spare = await newMember({ newClient }, practice.id, 'staff')
  // A second sign-in, whose session may be ended.
  await newClient().post('/api/login', { email: user.email, password })
  const { items } = (await client.get('/api/account/sessions')).body as { items: SessionItem[] }
  const { items: notifications } = (await client.get('/api/notifications')).body as { items: { id: string }[] }
  const { headers } = await client.get('/api/patients?limit=1')
  const { body: providers } = await client.get('/api/providers')
  const unnamedIds = [...appointments, ...(providers as readonly { id: string }[])].map(({ id }) => id)
  return {
    owner: client,
    userIds: [user.id, spare.user.id],
    ids: {
      practiceId: practice.id,
      patientId,
      providerId,
      appointmentId,
      seriesId,
      waitlistEntryId,
      calendarFeedId: calendarFeed.id,
      invitationId: invitation.id,
      invitationToken: findLast(link),
      formToken: findLast(formUrl),
      formAccess,
      userId: spare.user.id,
      calendarSecret: findSecret(calendarFeed.path),
      importId,
      invoiceId: 'none',
      formId,
      verificationId,
      ...recordIds,
      ...noteSession({ items }),
      insightId: insight?.id,
      notificationId: notifications[0]?.id,
      clientSecret,
      cursor: /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1] ?? '',
    },
    unnamedIds: [user.id, duplicateId, ...unnamedIds.filter((id) => id !== providerId && id !== appointmentId)],
    address,
  }
}

type Post = (path: string, body: object) => Promise<{ id: string; exportId: string }>

/** Adds one record of each of the other kinds, and returns their ids by their names. */
async function addRecords(post: Post, patientId: string, word: string): Promise<Ids> {
  const bodies: Record<string, object> = {
    '/api/prior-authorizations': { insuranceProvider: word, requestType: 'imaging', notes: word, patientId },
    '/api/call-logs': { callerPhone: '(617) 555-0100', callNotes: word, patientId },
    '/api/clinical-documentation': {
      soapNote: { subjective: word, objective: word, assessment: word, plan: word },
      patientId,
    },
    '/api/medication-administrations': { medication: word, dose: word, route: 'oral', patientId },
    '/api/vital-signs': { heartRate: 72, notes: word, patientId },
    '/api/referrals': { specialtyType: word, reasonForReferral: word, patientId },
    '/api/supply-orders': {
      supplierName: word,
      orderItems: [{ name: word, quantity: 10, unitPriceCents: 899 }],
    },
    '/api/stock-items': {
      name: word,
      supplierName: word,
      quantityOnHand: 40,
      reorderThreshold: 10,
      reorderQuantity: 50,
      unitPriceCents: 125,
    },
    '/api/patient-communications': {
      communicationType: 'phone',
      direction: 'inbound',
      messageContent: word,
      patientId,
    },
  }
  const ids: Ids = {}
  for (const [path, body] of Object.entries(bodies)) ids[path] = (await post(path, body)).id
  const closure = await post('/api/closures', { name: word, from: '2031-11-27', until: '2031-11-27' })
  const { exportId } = await post('/api/data-exports', {})
  return { ...ids, closureId: closure.id, exportId }
}

type SessionItem = { id: string; isCurrent: boolean }

const noteSession = ({ items }: { items: readonly SessionItem[] }) => ({
  sessionId: items.findLast(({ isCurrent }) => !isCurrent)?.id,
})

/** Returns the secret at the end of a link. */
const findLast = (link: string) => new URL(link).pathname.split('/').at(-1) ?? ''

const findSecret = (path: string) => path.split('/').at(-2) ?? ''

// oxlint-disable-next-line typescript/no-explicit-any
type Reply = any

/** The ids of the records that accepted requests create or show, by endpoint. */
const newIds: Record<string, (reply: Reply) => Record<string, string | undefined>> = {
  'GET /api/account/sessions': noteSession,
  'GET /api/ai/insights': ([first]) => ({ insightId: first?.id }),
  'GET /api/appointment-confirmations': ([first]) => ({ confirmationId: first?.id }),
  'POST /api/closures': ({ id }) => ({ closureId: id }),
  'POST /api/forms/:formId/link': ({ url }) => ({ formToken: findLast(url) }),
  'POST /api/patient-forms/open': ({ access }) => ({ formAccess: access }),
  'GET /api/notifications': ({ items }) => ({ notificationId: items[0]?.id }),
  'POST /api/data-exports': ({ exportId }) => ({ exportId }),
  'POST /api/patients': ({ id }) => ({ patientId: id }),
  'POST /api/providers': ({ id }) => ({ providerId: id }),
  'POST /api/appointments': ({ id }) => ({ appointmentId: id }),
  'POST /api/appointments/series': ({ seriesId, appointments }) => ({ seriesId, appointmentId: appointments[0].id }),
  'POST /api/forms': ({ id }) => ({ formId: id }),
  'POST /api/insurance/verify': ({ id }) => ({ verificationId: id }),
  'POST /api/waitlist': ({ id }) => ({ waitlistEntryId: id }),
  'POST /api/calendar-feeds': ({ id, path }) => ({ calendarFeedId: id, calendarSecret: findSecret(path) }),
  'POST /api/team/invitations': ({ invitation, link }) => ({
    invitationId: invitation.id,
    invitationToken: findLast(link),
  }),
  'POST /api/patients/import': ({ importId }) => ({ importId }),
  'POST /api/create-subscription': ({ clientSecret }) => ({ clientSecret }),
  'GET /api/billing-sandbox/portal': ({ invoices }) =>
    invoices.length > 0 ? { invoiceId: invoices[0].invoiceId } : {},
}

/** Notes the ids of new records for later requests, because requests also remove what they name. */
export function noteNewIds({ ids }: FuzzPractice, endpoint: string, reply: string): void {
  const find = newIds[endpoint] ?? findCreated(endpoint)
  if (!find || (!reply.startsWith('{') && !reply.startsWith('['))) return
  for (const [name, id] of Object.entries(find(JSON.parse(reply)))) if (typeof id === 'string') ids[name] = id
}

/** Returns what notes a record of a collection whose records are named by `:id`. */
const findCreated = (endpoint: string) => {
  const path = /^POST (\/api\/[a-z-]+)$/.exec(endpoint)?.[1]
  return path === undefined ? undefined : (reply: Reply) => ({ [path]: reply?.id as string | undefined })
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
  for (const role of Role.options) cookies[role] = (await joinPractice(app, practiceId ?? '', role)).cookie()
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
  '/api/prior-authorizations',
  '/api/call-logs',
  '/api/clinical-documentation',
  '/api/referrals',
  '/api/vital-signs',
  '/api/medication-administrations',
  '/api/supply-orders',
  '/api/stock-items',
  '/api/patient-communications',
  '/api/closures',
  '/api/appointment-confirmations/config',
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

/** Returns the streams with events of two practices, and those of a practice with events of users who are not its own. */
export async function findForeignEvents({ pool }: Installation, { userIds, ids }: FuzzPractice): Promise<string[]> {
  const { rows } = await pool.query<{ stream: string; types: string }>(
    `select stream, string_agg(distinct type, ', ') as types
       from (select stream, type, metadata::jsonb ->> 'practiceId' as practice_id,
                    metadata::jsonb -> 'actor' ->> 'userId' as user_id
               from es.events) e
      group by stream
     having count(distinct practice_id) > 1 or bool_or(practice_id = $1 and user_id <> all($2))`,
    [ids.practiceId, userIds],
  )
  return rows.map(({ stream, types }) => `${stream} (${types})`)
}
