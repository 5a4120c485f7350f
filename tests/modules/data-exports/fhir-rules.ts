import type { Resource } from '#modules/data-exports/fhir.ts'

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const date = /^\d{4}(-\d\d(-\d\d)?)?$/
const dateTime = new RegExp(`${date.source}|${instant.source}`)

type Rule = {
  required: readonly string[]
  optional: readonly string[]
  codes?: Readonly<Record<string, readonly string[]>>
  formats?: Readonly<Record<string, RegExp>>
}

/** The elements that an export uses, with their cardinality, required value sets and formats (https://hl7.org/fhir/R4). */
const rules: Readonly<Record<string, Rule>> = {
  Organization: { required: ['name'], optional: ['identifier', 'active', 'telecom', 'address'] },
  Practitioner: { required: [], optional: ['active', 'name'] },
  PractitionerRole: { required: [], optional: ['active', 'practitioner', 'organization'] },
  Patient: {
    required: [],
    optional: [
      'active',
      'name',
      'telecom',
      'gender',
      'birthDate',
      'deceasedDateTime',
      'address',
      'contact',
      'managingOrganization',
    ],
    codes: { gender: ['male', 'female', 'other', 'unknown'] },
    formats: { birthDate: date, deceasedDateTime: dateTime },
  },
  Coverage: {
    required: ['status', 'beneficiary', 'payor'],
    optional: ['policyHolder', 'subscriberId', 'class'],
    codes: { status: ['active', 'cancelled', 'draft', 'entered-in-error'] },
  },
  // ait-1: a clinical status unless it was entered in error.
  AllergyIntolerance: { required: ['patient', 'clinicalStatus', 'code'], optional: [] },
  MedicationStatement: {
    required: ['status', 'medicationCodeableConcept', 'subject'],
    optional: ['dosage'],
    codes: {
      status: ['active', 'completed', 'entered-in-error', 'intended', 'stopped', 'on-hold', 'unknown', 'not-taken'],
    },
  },
  Condition: { required: ['subject', 'code'], optional: [] },
  Appointment: {
    required: ['status', 'participant'],
    optional: [
      'appointmentType',
      'reasonCode',
      'start',
      'end',
      'minutesDuration',
      'created',
      'comment',
      'requestedPeriod',
    ],
    codes: {
      status: [
        'proposed',
        'pending',
        'booked',
        'arrived',
        'fulfilled',
        'cancelled',
        'noshow',
        'entered-in-error',
        'checked-in',
        'waitlist',
      ],
    },
    formats: { start: instant, end: instant, created: dateTime },
  },
  Observation: {
    // The profile of vital signs: a category, a subject and a time.
    required: ['status', 'category', 'code', 'subject', 'effectiveDateTime'],
    optional: ['valueQuantity', 'component', 'note'],
    codes: { status: ['registered', 'preliminary', 'final', 'amended', 'corrected', 'cancelled', 'entered-in-error'] },
    formats: { effectiveDateTime: dateTime },
  },
  MedicationAdministration: {
    required: ['status', 'subject', 'effectiveDateTime', 'dosage'],
    optional: ['contained', 'medicationReference', 'medicationCodeableConcept', 'note'],
    codes: {
      status: ['in-progress', 'not-done', 'on-hold', 'completed', 'entered-in-error', 'stopped', 'unknown'],
    },
    formats: { effectiveDateTime: dateTime },
  },
  Immunization: {
    required: ['status', 'vaccineCode', 'patient', 'occurrenceDateTime'],
    optional: [
      'primarySource',
      'manufacturer',
      'lotNumber',
      'expirationDate',
      'site',
      'route',
      'doseQuantity',
      'performer',
      'note',
    ],
    codes: { status: ['completed', 'entered-in-error', 'not-done'] },
    formats: { occurrenceDateTime: dateTime, expirationDate: date },
  },
  QuestionnaireResponse: {
    required: ['status'],
    optional: ['subject', 'authored', 'item'],
    codes: { status: ['in-progress', 'completed', 'amended', 'entered-in-error', 'stopped'] },
    formats: { authored: dateTime },
  },
}

const participantStatuses = ['accepted', 'declined', 'tentative', 'needs-action']

/** Returns what a value contains that FHIR does not allow anywhere: nulls, empty texts, lists and objects. */
function findEmpty(value: unknown, path: string): string[] {
  if (value === null || value === undefined) return [`${path} is null`]
  if (typeof value === 'string') return /^\s*$/.test(value) ? [`${path} is blank`] : []
  if (typeof value !== 'object') return []
  const parts = Object.entries(value)
  if (parts.length === 0) return [`${path} is empty`]
  return parts.flatMap(([name, part]) => findEmpty(part, `${path}.${name}`))
}

/** Returns the literal references in a value. */
export function findReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'reference' && typeof part === 'string' ? [part] : findReferences(part),
  )
}

type Participant = { status: string; actor: { reference: string } }

/** Returns how a resource breaks the rules of FHIR R4; empty when it follows them. */
export function findProblems(resource: Resource): string[] {
  const { resourceType, id, meta = {}, ...elements } = resource
  const rule = rules[resourceType]
  if (!rule) return [`${resourceType} is unknown`]
  const problems = findEmpty(elements, resourceType)
  if (!/^[A-Za-z0-9\-.]{1,64}$/.test(id)) problems.push(`the id ${id}`)
  const { lastUpdated } = meta as { lastUpdated?: string }
  if (lastUpdated !== undefined && !instant.test(lastUpdated)) problems.push(`meta.lastUpdated ${lastUpdated}`)
  for (const name of rule.required) if (!(name in elements)) problems.push(`${name} is missing`)
  for (const name of Object.keys(elements))
    if (![...rule.required, ...rule.optional].includes(name)) problems.push(`${name} is not an element`)
  for (const [name, codes] of Object.entries(rule.codes ?? {}))
    if (name in elements && !codes.includes(String(elements[name]))) problems.push(`${name} ${String(elements[name])}`)
  for (const [name, format] of Object.entries(rule.formats ?? {}))
    if (name in elements && !format.test(String(elements[name]))) problems.push(`${name} ${String(elements[name])}`)
  if (resourceType === 'MedicationAdministration') {
    // One of medication[x]; mad-1: a dose or a rate; dom-3: what it contains is referred to.
    const { medicationReference, medicationCodeableConcept, dosage, contained } = elements
    if ((medicationReference === undefined) === (medicationCodeableConcept === undefined))
      problems.push('medication[x]')
    if (!('dose' in (dosage as object))) problems.push('dosage without dose')
    const isReferredTo = (medicationReference as { reference?: string } | undefined)?.reference === '#given'
    if ((contained === undefined) === isReferredTo) problems.push('contained')
  }
  if (resourceType === 'Appointment') {
    const { start, end, status, minutesDuration } = elements
    // app-2 and app-3.
    if ((start === undefined) !== (end === undefined)) problems.push('start without end')
    if (start === undefined && !['proposed', 'cancelled', 'waitlist'].includes(String(status)))
      problems.push('no start')
    if (!(Number.isInteger(minutesDuration) && Number(minutesDuration) > 0)) problems.push('minutesDuration')
    for (const participant of elements['participant'] as Participant[])
      if (!participantStatuses.includes(participant.status)) problems.push(`participant ${participant.status}`)
  }
  return problems
}
