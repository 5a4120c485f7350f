import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, getStartOfDay, toLocalDateTime } from '#contracts/values/calendar.ts'
import { maxBasedOn, minDecisionsForAccuracy } from '#contracts/values/insights.ts'
import { findCoverage } from '#modules/insights/coverage.ts'
import { insightAppointments } from '#modules/insights/appointments/projection.ts'
import { insightDocuments } from '#modules/insights/documents/projection.ts'
import { noteDays, writingDays } from '#modules/insights/rules/notes-missing.ts'
import { insightCoverages } from '#modules/insights/coverages/projection.ts'
import { insightDecisions } from '#modules/insights/decisions/projection.ts'
import { insightForms } from '#modules/insights/forms/projection.ts'
import { insightPatients } from '#modules/insights/patients/projection.ts'
import { insightPractices } from '#modules/insights/practices/projection.ts'
import * as queries from '#modules/insights/queries.ts'
import type { RecordRule } from '#modules/insights/records-sql.ts'
import { observedDays } from '#modules/insights/rules/empty-hours.ts'
import { practices } from '#modules/practices/projection.ts'
import { openTables, type Tables } from '#tests/support/open-tables.ts'
import { PatientId } from '#contracts/values/ids.ts'

/**
 * Compares what SQL finds with the same rules in a few lines of TypeScript, over records that lie on, before and after every limit: in
 * two practices, with and without their sample records.
 */
const zone = 'America/New_York'
const now = new Date('2026-03-10T15:30:00.000Z')
const today = '2026-03-10'
const yearAgo = '2025-03-10T15:30:00.000Z'
const twoDaysAgo = '2026-03-08T15:30:00.000Z'
const monthStart = '2026-03-01T05:00:00.000Z'

const near = (instant: string) => [-1000, 0, 1000].map((ms) => new Date(Date.parse(instant) + ms).toISOString())
const ago = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()
const startIn = (days: number) => getStartOfDay(addDays(today, days), zone)

const idOf = (kind: number, index: number) =>
  `00000000-0000-4000-8000-0000000${String(kind)}${String(index).padStart(4, '0')}`
const [practice, other] = [idOf(1, 0), idOf(1, 1)]
const patientIds = [0, 1, 2, 3].map((index) => PatientId.parse(idOf(2, index)))
/** The last one has no row: the patient was removed. */
const anyPatientId = fc.constantFrom(...patientIds, PatientId.parse(idOf(2, 9)))

const inPractice = { practice_id: fc.constantFrom(practice, practice, practice, other), sample: fc.boolean() }
const mostly = <Value>(usual: Value, ...others: Value[]) => fc.constantFrom(usual, usual, usual, ...others)

const Patients = fc.tuple(
  ...patientIds.map((patientId) =>
    fc.record({
      ...inPractice,
      patient_id: fc.constant(patientId),
      first_name: fc.constantFrom('Ada', 'Ben', null),
      last_name: fc.constantFrom('Novak', 'Ray', null),
      identity: fc.constantFrom('novak ada 1980-01-01', 'ray ben 1990-01-01', null),
      has_phone: fc.boolean(),
      has_email: fc.boolean(),
      has_insurance: fc.boolean(),
      living: mostly(true, false),
      conflict: fc.constantFrom('urgent', 'warning', null),
      conflict_version: fc.integer({ min: 1, max: 2 }),
      last_appointment: fc.constantFrom(...near(yearAgo), ...near(now.toISOString()), '2024-12-01T09:00:00.000Z', null),
      last_own_appointment: fc.constantFrom(
        ...near(yearAgo),
        ...near(now.toISOString()),
        '2024-12-24T09:00:00.000Z',
        null,
      ),
      appointments: fc.constant([]),
      earlier: fc.constant([]),
    }),
  ),
)
const starts = [
  yearAgo,
  startIn(-observedDays),
  startIn(0),
  now.toISOString(),
  ...[1, 2, 4, 8, 15].map(startIn),
  ...[noteDays.until, noteDays.from].map(ago),
].flatMap(near)
const Appointments = fc.array(
  fc.record({
    ...inPractice,
    patient_id: anyPatientId,
    starts_at: fc.constantFrom(...starts),
    minutes: fc.constantFrom(15, 30),
    status: mostly('scheduled', 'confirmed', 'completed', 'completed', 'cancelled', 'no-show', 'no-show', 'no-show'),
    on_day_list: mostly(true, false),
  }),
  { maxLength: 12 },
)
const Forms = fc.array(
  fc.record({
    ...inPractice,
    patient_id: anyPatientId,
    is_open: mostly(true, false),
    is_submitted: fc.boolean(),
    waiting_since: fc.constantFrom(...near(twoDaysAgo), '2026-02-01T00:00:00.000Z'),
    urgent_version: fc.constantFrom(1, 2, null),
    analyzed_at: fc.constantFrom(...near(monthStart), null),
  }),
  { maxLength: 5 },
)
const days = [0, 1, 3, 4, 14].map((each) => addDays(today, each))
const coverage = {
  status: mostly('verified', 'expired', 'denied', 'denied', 'pending'),
  starts_on: fc.constantFrom(...days, null),
  ends_on: fc.constantFrom(...days, null),
  added_at: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'),
  is_other_policy: mostly(false, true),
}
const Coverages = fc.array(fc.record({ ...inPractice, patient_id: anyPatientId, ...coverage }), { maxLength: 5 })
const noteStarts = [noteDays.until, noteDays.from].map(ago)
const Documents = fc.array(
  fc.record({
    ...inPractice,
    patient_id: anyPatientId,
    written_at: fc.constantFrom(...[...noteStarts, ago(writingDays)].flatMap(near)),
  }),
  { maxLength: 3 },
)
const rules: RecordRule[] = [
  'urgent-findings',
  'allergy-conflicts',
  'deceased-booked',
  'unconfirmed-tomorrow',
  'coverage-ending',
  'coverage-unverified',
  'other-policy',
  'forms-waiting',
  'notes-missing',
  'repeated-no-shows',
  'no-contact',
  'duplicate-patients',
  'overdue-follow-up',
]
const grounds = [
  ...[0, 1, 2, 3].flatMap((index) => [
    idOf(2, index),
    `${idOf(2, index)} 1`,
    idOf(3, index),
    idOf(4, index),
    `${idOf(4, index)} 1`,
  ]),
  '2024-12',
  '2025-03',
]
const Decisions = fc.uniqueArray(
  fc.record({
    practice_id: inPractice.practice_id,
    rule: fc.constantFrom<RecordRule | 'empty-hours'>(...rules, 'empty-hours'),
    subject: mostly('', addDays(today, 1)),
    kind: fc.constantFrom('dismissed', 'snoozed', 'done'),
    grounds: fc.oneof(fc.constant(grounds), fc.subarray(grounds)),
    until: fc.constantFrom(...near(now.toISOString()), null),
    decided_at: fc.constantFrom(...near(monthStart), now.toISOString()),
  }),
  { maxLength: 8, selector: ({ practice_id, rule, subject }) => `${practice_id} ${rule} ${subject}` },
)

const numbered = <Row extends object>(rows: readonly Row[], kind: number, column: string) =>
  rows.map((row, index) => ({ ...row, [column]: idOf(kind, index) }))

type ValueOf<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never
type Placed = { practice_id: string; sample: boolean }
type Patient = ValueOf<typeof Patients>[number]

const Records = fc
  .record({
    patients: Patients,
    appointments: Appointments,
    forms: Forms,
    coverages: Coverages,
    documents: Documents,
    decisions: Decisions,
  })
  .map(({ patients, appointments, forms, coverages, documents, decisions }) => ({
    patients,
    appointments: numbered(appointments, 3, 'appointment_id'),
    forms: numbered(forms, 4, 'form_id'),
    coverages: numbered(coverages, 5, 'verification_id'),
    documents: numbered(documents, 7, 'document_id'),
    decisions: numbered(decisions, 6, 'insight_id'),
  }))
type Records = ValueOf<typeof Records>

const idIn = (row: object, column: string) => (row as Record<string, string>)[column] as string
const inScope =
  (includeSamples: boolean) =>
  ({ practice_id, sample }: Placed) =>
    practice_id === practice && (includeSamples || !sample)

type Found = {
  ground: string
  id: string
  patient: Patient | undefined
  instant: string | null
  flagged: string | null
}

/** Finds the records of each rule, as its sentences say. */
function findByRules(
  { patients, appointments, forms, coverages, documents }: Records,
  includeSamples: boolean,
): Record<RecordRule, Found[]> {
  const isShown = inScope(includeSamples)
  const own = patients.filter(({ practice_id, living }) => practice_id === practice && living)
  const patientOf = ({ patient_id }: { patient_id: string }) => patients.find((each) => each.patient_id === patient_id)
  const lastOf = (patient: Patient) => (includeSamples ? patient.last_appointment : patient.last_own_appointment)
  const isLater = (patient: Patient) => (lastOf(patient) ?? '') > now.toISOString()
  const missedBy = (patientId: string) =>
    appointments.filter(
      (each) => isShown(each) && each.patient_id === patientId && each.status === 'no-show' && each.starts_at > yearAgo,
    )
  const toPatient = (patient: Patient, ground: string, more: Partial<Found> = {}): Found => ({
    ground,
    id: patient.patient_id,
    patient,
    instant: lastOf(patient),
    flagged: null,
    ...more,
  })
  const toAppointment = (appointment: Records['appointments'][number], isFlagged: boolean, flagged: string): Found => {
    const id = idIn(appointment, 'appointment_id')
    const patient = patientOf(appointment)
    return { ground: id, id, patient, instant: appointment.starts_at, flagged: isFlagged ? flagged : null }
  }
  const toForm = (form: Records['forms'][number], version = ''): Found => {
    const id = idIn(form, 'form_id')
    return { ground: `${id}${version}`, id, patient: patientOf(form), instant: form.waiting_since, flagged: null }
  }
  const listed = appointments.filter((each) => isShown(each) && each.on_day_list)
  const coming = listed
    .filter(({ status }) => status === 'scheduled' || status === 'confirmed')
    .filter(({ starts_at }) => starts_at > now.toISOString() && starts_at < startIn(15))
    .filter((each) => patientOf(each)?.living)
  const open = forms.filter((each) => isShown(each) && each.is_open && patientOf(each))
  const isCovered = (appointment: Records['appointments'][number]) =>
    coverageOf(coverages, includeSamples, appointment.patient_id, toLocalDateTime(appointment.starts_at, zone).date)
  return {
    'urgent-findings': open
      .filter(({ urgent_version }) => urgent_version !== null)
      .map((form) => toForm(form, ` ${form.urgent_version}`)),
    'allergy-conflicts': patients
      .filter((each) => isShown(each) && each.living && each.conflict !== null)
      .map((each) =>
        toPatient(each, `${each.patient_id} ${each.conflict_version}`, {
          instant: null,
          flagged: each.conflict === 'urgent' ? each.patient_id : null,
        }),
      ),
    'deceased-booked': listed
      .filter(({ status }) => status === 'scheduled' || status === 'confirmed')
      .filter((each) => each.starts_at > now.toISOString() && patientOf(each)?.living === false)
      .filter((each) => patientOf(each)?.practice_id === practice)
      .map((each) => toAppointment(each, each.starts_at < startIn(8), idIn(each, 'appointment_id'))),
    'unconfirmed-tomorrow': listed
      .filter((each) => patientOf(each)?.living !== false)
      .filter(({ status, starts_at }) => status === 'scheduled' && starts_at >= startIn(1) && starts_at < startIn(2))
      .map((each) => toAppointment(each, missedBy(each.patient_id).length > 0, each.patient_id)),
    'coverage-ending': coming
      .filter((each) => isCovered(each).status === 'not-covered')
      .map((each) => toAppointment(each, each.starts_at < startIn(4), idIn(each, 'appointment_id'))),
    'coverage-unverified': coming
      .filter(({ starts_at }) => starts_at < startIn(4))
      .filter((each) => {
        const { status, verificationId } = isCovered(each)
        const isMissed = coverages.some(isShown) && patientOf(each)?.has_insurance
        return status === 'unknown' && (verificationId !== null || isMissed)
      })
      .map((each) => toAppointment(each, each.starts_at < startIn(2), idIn(each, 'appointment_id'))),
    'other-policy': coming
      .filter((each) => isCovered(each).status === 'covered' && isCovered(each).isOtherPolicy)
      .map((each) => toAppointment(each, each.starts_at < startIn(4), idIn(each, 'appointment_id'))),
    'forms-waiting': open
      .filter(({ waiting_since }) => waiting_since < twoDaysAgo)
      .filter((each) => each.is_submitted || patientOf(each)?.living)
      .map((each) => ({ ...toForm(each), flagged: each.is_submitted ? idIn(each, 'form_id') : null })),
    'notes-missing': documents.some((each) => isShown(each) && each.written_at > ago(writingDays))
      ? appointments
          .filter((each) => isShown(each) && each.status === 'completed' && patientOf(each))
          .filter(({ starts_at }) => starts_at > ago(noteDays.until) && starts_at < ago(noteDays.from))
          .filter(({ patient_id, starts_at }) => {
            const written = documents.filter((each) => isShown(each) && each.patient_id === patient_id)
            return !written.some(({ written_at }) => written_at >= starts_at)
          })
          .map((each) => toAppointment(each, false, ''))
      : [],
    'repeated-no-shows': patients
      .filter((each) => each.living && isLater(each) && missedBy(each.patient_id).length >= 2)
      .map((each) => {
        const latest = missedBy(each.patient_id).map(({ starts_at }) => starts_at)
        return toPatient(each, `${each.patient_id} ${latest.toSorted().at(-1)?.slice(0, 10)}`)
      }),
    'no-contact': own
      .filter((each) => !each.has_phone && !each.has_email && isLater(each))
      .map((each) => toPatient(each, each.patient_id)),
    'duplicate-patients': patients
      .filter((each) => isShown(each) && each.identity !== null)
      .filter((each, _, all) => all.filter(({ identity }) => identity === each.identity).length > 1)
      .map((each) => toPatient(each, each.patient_id, { instant: null })),
    'overdue-follow-up': own
      .filter((each) => lastOf(each) !== null && (lastOf(each) ?? '') < yearAgo)
      .map((each) => toPatient(each, (lastOf(each) ?? '').slice(0, 7))),
  }
}

function coverageOf(coverages: Records['coverages'], includeSamples: boolean, patientId: string, date: string) {
  const judged = coverages
    .filter((each) => inScope(includeSamples)(each) && each.patient_id === patientId)
    .map(({ status, starts_on, ends_on, added_at, is_other_policy, ...row }) => {
      const isWithin = (starts_on ?? date) <= date && (ends_on ?? date) >= date
      const isGranted = status === 'verified' || status === 'expired'
      const judgement = isGranted && isWithin ? 'covered' : status === 'pending' ? 'unknown' : 'not-covered'
      return {
        verificationId: idIn(row, 'verification_id'),
        status: judgement,
        added_at,
        isOtherPolicy: is_other_policy,
      }
    })
  const order = ['covered', 'unknown', 'not-covered']
  const [first] = judged.toSorted(
    (one, two) =>
      Number(one.status === 'not-covered') - Number(two.status === 'not-covered') ||
      Number(one.isOtherPolicy) - Number(two.isOtherPolicy) ||
      order.indexOf(one.status) - order.indexOf(two.status) ||
      two.added_at.localeCompare(one.added_at) ||
      one.verificationId.localeCompare(two.verificationId),
  )
  return first
    ? { status: first.status, verificationId: first.verificationId, isOtherPolicy: first.isOtherPolicy }
    : { status: 'unknown', verificationId: null, isOtherPolicy: false }
}

/** A text that sorts as PostgreSQL does, with nulls at the end. */
const place = (...values: (string | null | undefined)[]) => values.map((value) => value ?? '~').join(' ')

function toExpected({ decisions }: Records, rule: RecordRule, found: readonly Found[]) {
  const subject = rule === 'unconfirmed-tomorrow' ? addDays(today, 1) : ''
  const decided = inForce(decisions).find((each) => each.rule === rule && each.subject === subject)?.grounds ?? []
  const sorted = found.toSorted((one, two) => {
    const [a, b] = [one, two].map(({ instant, patient, id }) =>
      place(instant, patient?.last_name, patient?.first_name, id),
    )
    return (a ?? '') < (b ?? '') ? -1 : 1
  })
  const asked = rule === 'overdue-follow-up' ? sorted.slice(-1) : sorted
  return {
    rule,
    subject,
    isOpen: asked.some(({ ground }) => !decided.includes(ground)),
    total: found.length,
    flagged: new Set(found.flatMap(({ flagged }) => flagged ?? [])).size,
    grounds: [...new Set(found.map(({ ground }) => ground))].toSorted(),
    first: sorted.slice(0, maxBasedOn).map(({ id, patient, instant }) => ({
      id,
      firstName: patient?.first_name ?? null,
      lastName: patient?.last_name ?? null,
      ...(instant === null ? { date: null, time: null } : toLocalDateTime(instant, zone)),
    })),
  }
}

const inForce = (decisions: Records['decisions']) =>
  decisions.filter(({ practice_id, until }) => practice_id === practice && (until ?? '~') > now.toISOString())

function toWorkingTime({ appointments, decisions }: Records, includeSamples: boolean) {
  const minutes = new Map<string, number>()
  for (const { starts_at, status, ...row } of appointments.filter(inScope(includeSamples))) {
    if (status === 'cancelled' || starts_at < startIn(-observedDays) || starts_at >= startIn(0)) continue
    const { date, time } = toLocalDateTime(starts_at, zone)
    const weekday = new Date(date).getUTCDay() || 7
    const key = `${weekday} ${time < '12:00' ? 'morning' : 'afternoon'}`
    minutes.set(key, (minutes.get(key) ?? 0) + row.minutes)
  }
  const decided = inForce(decisions).filter(({ rule }) => rule === 'empty-hours')
  return {
    today,
    practice: { week: null, providers: [{ id: 'one', since: '2026-01-01' }], closures: [] },
    booked: [...minutes].map(([key, sum]) => `${key} ${sum}`).toSorted(),
    decided: decided.map(({ subject, grounds: known }) => ({ subject, grounds: known })),
  }
}
const withSortedUse = ({ booked, decided, ...rest }: queries.OpenInsightsRow['workingTime']) => ({
  ...rest,
  booked: booked.map(({ weekday, half, minutes }) => `${weekday} ${half} ${minutes}`).toSorted(),
  decided,
})

let tables: Tables
const projections = [
  { projection: insightPatients, records: 'patients' },
  { projection: insightAppointments, records: 'appointments' },
  { projection: insightForms, records: 'forms' },
  { projection: insightCoverages, records: 'coverages' },
  { projection: insightDocuments, records: 'documents' },
  { projection: insightDecisions, records: 'decisions' },
] as const

beforeAll(async () => {
  tables = await openTables([...projections.map(({ projection }) => projection), insightPractices, practices])
  await tables.fill(practices, [{ practice_id: practice, timezone: zone }])
  const providers = (id: string) => [{ id, since: '2026-01-01' }]
  await tables.fill(insightPractices, [
    { practice_id: practice, week: null, providers: providers('one'), closures: {} },
    { practice_id: other, week: null, providers: providers('two'), closures: {} },
  ])
})
afterAll(() => tables.dispose())

async function fill(records: Records): Promise<void> {
  for (const { projection, records: kind } of projections) await tables.fill(projection, records[kind])
}

const [first, second] = patientIds as [PatientId, PatientId]
/** Mostly of the practice itself, and of two patients, so that many of them meet. */
const ofFew = {
  practice_id: mostly(practice, other),
  sample: mostly(false, true),
  patient_id: fc.constantFrom(first, second),
}
const NoteRecords = fc
  .record({
    records: Records,
    appointments: fc.array(
      fc.record({
        ...ofFew,
        starts_at: fc.constantFrom(ago(5), ...noteStarts.flatMap(near)),
        minutes: fc.constantFrom<15 | 30>(30),
        status: mostly('completed', 'scheduled'),
        on_day_list: fc.constant(true),
      }),
      { minLength: 3, maxLength: 6 },
    ),
    documents: fc.array(
      fc.record({ ...ofFew, written_at: fc.constantFrom(...[ago(5), ago(writingDays)].flatMap(near)) }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ records, appointments, documents }) => ({
    ...records,
    appointments: numbered(appointments, 3, 'appointment_id'),
    documents: numbered(documents, 7, 'document_id'),
  }))
const CoverageRecords = fc
  .record({
    records: Records,
    appointments: fc.array(
      fc.record({
        ...ofFew,
        starts_at: fc.constantFrom(startIn(1), startIn(3), ...[2, 4].map(startIn).flatMap(near)),
        minutes: fc.constantFrom<15 | 30>(30),
        status: mostly('scheduled', 'confirmed'),
        on_day_list: fc.constant(true),
      }),
      { minLength: 2, maxLength: 4 },
    ),
    coverages: fc.array(fc.record({ ...coverage, ...ofFew }), { minLength: 3, maxLength: 6 }),
  })
  .map(({ records, appointments, coverages }) => ({
    ...records,
    appointments: numbered(appointments, 3, 'appointment_id'),
    coverages: numbered(coverages, 5, 'verification_id'),
  }))
const AnyRecords = fc.oneof(Records, NoteRecords, CoverageRecords)

it('finds what the rules say, and counts what no decision knows', async () => {
  await fc.assert(
    fc.asyncProperty(AnyRecords, fc.boolean(), async (records, includeSamples) => {
      await fill(records)
      const scope = { practiceId: practice, includeSamples }
      const found = findByRules(records, includeSamples)
      const expected = rules.map((rule) => toExpected(records, rule, found[rule]))
      const workingTime = toWorkingTime(records, includeSamples)

      const grounds = await queries.findInsightGrounds(tables.db, scope, now)
      const sorted = grounds.found.map((each) => ({ ...each, grounds: each.grounds.toSorted() }))
      expect(sorted).toEqual(expected)
      expect(withSortedUse(grounds.workingTime)).toEqual(workingTime)

      const open = await queries.findOpenInsights(tables.db, scope, { zone, today, now })
      expect(open.openCount).toBe(expected.filter(({ isOpen }) => isOpen).length)
      expect(withSortedUse(open.workingTime)).toEqual(workingTime)
    }),
    { numRuns: 90 },
  )
})

it('finds the coverage of any day, and the use of a month', async () => {
  await fc.assert(
    fc.asyncProperty(AnyRecords, fc.boolean(), async (records, includeSamples) => {
      await fill(records)
      const scope = { practiceId: practice, includeSamples }
      for (const date of days)
        for (const patientId of patientIds)
          expect(await findCoverage(tables.db, scope, patientId, date)).toEqual(
            coverageOf(records.coverages, includeSamples, patientId, date),
          )

      const decided = records.decisions.filter(
        ({ practice_id, decided_at }) => practice_id === practice && decided_at >= monthStart,
      )
      const [done, judged] = [['done'], ['done', 'dismissed']].map(
        (kinds) => decided.filter(({ kind }) => kinds.includes(kind)).length,
      ) as [number, number]
      const [first] = decided.map((each) => idIn(each, 'insight_id'))
      const usage = await queries.findInsightUsage(tables.db, scope, now, ['another', ...(first ? [first] : [])])
      expect(usage).toEqual({
        insightsGenerated: decided.length + 1,
        formsAnalyzed: records.forms.filter(
          (each) => inScope(includeSamples)(each) && (each.analyzed_at ?? '') >= monthStart,
        ).length,
        accuracy: judged < minDecisionsForAccuracy ? null : Math.round((done / judged) * 100),
      })
    }),
    { numRuns: 40 },
  )
})
