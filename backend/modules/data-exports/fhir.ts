import type { Appointment } from '#contracts/appointments.ts'
import { formatAnswer } from '#contracts/form-answers.ts'
import type { Form } from '#contracts/forms.ts'
import type { Patient } from '#contracts/patients.ts'
import type { Practice } from '#contracts/practices.ts'
import type { Provider } from '#contracts/providers.ts'
import type { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import {
  computeBodyMassIndex,
  type VitalSign,
  type VitalSignsStatus,
  type VitalValues,
} from '#contracts/values/vital-signs.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { type AnsweredQuestion, type ExportedEntry, listAnswers } from './csv.ts'

/** A FHIR R4 resource (https://hl7.org/fhir/R4). */
export type Resource = { resourceType: string; id: string } & Record<string, unknown>

const terminology = 'http://terminology.hl7.org/CodeSystem'

/** Removes what FHIR does not allow: properties without a value, empty lists and empty objects. */
export function compact<Value extends object>(value: Value): Value {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => {
      if (each === null || each === undefined || each === '') return false
      return typeof each !== 'object' || Object.keys(each).length > 0
    }),
  ) as Value
}

/** Returns a concept or a note of a text. */
export const toText = (text: string | null | undefined) => (text ? { text } : undefined)
/** Returns a reference to a resource of the archive. */
export const toReference = (type: string, id: string, display?: string) =>
  compact({ reference: `${type}/${id}`, display: display ?? null })
/** Returns the code of a system of HL7. */
export const toCoding = (system: string, code: string) => ({ coding: [{ system: `${terminology}/${system}`, code }] })

/** Marks the records of the sample practice, as FHIR marks test data. */
const toMeta = ({ sample, updatedAt }: { sample: boolean; updatedAt?: string }) =>
  compact({
    lastUpdated: updatedAt,
    tag: sample ? [{ system: `${terminology}/v3-ActReason`, code: 'HTEST', display: 'test health data' }] : [],
  })

const toAddress = (address: string | null) => (address === null ? [] : [{ text: address }])
const toTelecom = (system: 'phone' | 'email' | 'url', value: string | null) =>
  value === null ? [] : [{ system, value }]

/** Returns the practice as an Organization. */
export const toOrganization = ({ id, name, npi, phone, email, website, address, updatedAt }: Practice): Resource =>
  compact({
    resourceType: 'Organization',
    id,
    meta: toMeta({ sample: false, updatedAt }),
    identifier: npi === null ? [] : [{ system: 'http://hl7.org/fhir/sid/us-npi', value: npi }],
    active: true,
    name,
    telecom: [...toTelecom('phone', phone), ...toTelecom('email', email), ...toTelecom('url', website)],
    address: toAddress(address),
  })

/** Returns a provider as a Practitioner and as the role in the practice, which have the same id. */
export function toPractitioner({ id, name, title, active, practiceId, updatedAt }: Provider): [Resource, Resource] {
  const meta = toMeta({ sample: false, updatedAt })
  const names = [compact({ text: name, suffix: title === null ? [] : [title] })]
  const practitioner = toReference('Practitioner', id, name)
  const organization = toReference('Organization', practiceId)
  return [
    compact({ resourceType: 'Practitioner', id, meta, active, name: names }),
    compact({ resourceType: 'PractitionerRole', id, meta, active, practitioner, organization }),
  ]
}

/** Returns the Patient of a record. */
export function toPatient(patient: Patient): Resource {
  const { id, practiceId, firstName, lastName, dateOfBirth, gender, phone, email, address, deceasedOn } = patient
  const { emergencyContact } = patient
  return compact({
    resourceType: 'Patient',
    id,
    meta: toMeta(patient),
    active: true,
    name: [compact({ text: `${firstName} ${lastName}`, family: lastName, given: [firstName].filter(Boolean) })],
    telecom: [...toTelecom('phone', phone), ...toTelecom('email', email)],
    gender,
    birthDate: dateOfBirth,
    deceasedDateTime: deceasedOn,
    address: toAddress(address),
    contact: emergencyContact
      ? [
          compact({
            relationship: emergencyContact.relationship ? [{ text: emergencyContact.relationship }] : [],
            name: { text: emergencyContact.name },
            telecom: toTelecom('phone', emergencyContact.phone),
          }),
        ]
      : [],
    managingOrganization: toReference('Organization', practiceId),
  })
}

/** Returns the Patient of a record that was removed, of which only the name is left, for references to it. */
export const toRemovedPatient = (id: string, practiceId: string, name: string | null): Resource =>
  compact({
    resourceType: 'Patient',
    id,
    active: false,
    name: name === null ? [] : [{ text: name }],
    managingOrganization: toReference('Organization', practiceId),
  })

/** Returns the insurance of a record. */
export function toCoverage(patient: Patient): Resource[] {
  const { id, insuranceInfo } = patient
  if (!insuranceInfo) return []
  const { provider, policyNumber, groupNumber, memberName } = insuranceInfo
  return [
    compact({
      resourceType: 'Coverage',
      id: deriveId(`coverage ${id}`),
      meta: toMeta(patient),
      status: 'active',
      policyHolder: memberName === null ? undefined : { display: memberName },
      subscriberId: policyNumber,
      beneficiary: toReference('Patient', id),
      payor: [{ display: provider }],
      class: groupNumber === null ? [] : [{ type: toCoding('coverage-class', 'group'), value: groupNumber }],
    }),
  ]
}

/** Names each of several texts, which may be equal: the same list always gives the same names. */
function withNames<Item>(items: readonly Item[], toKey: (item: Item) => string): [Item, string][] {
  const counts = new Map<string, number>()
  return items.map((item) => {
    const key = toKey(item)
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return [item, `${count} ${key}`]
  })
}

/** Returns the allergies of a record. That there are none is a statement of its own; that they are unknown is not. */
export function toAllergies(patient: Patient): Resource[] {
  const { id, allergies, allergiesStatus } = patient
  const common = {
    resourceType: 'AllergyIntolerance',
    meta: toMeta(patient),
    clinicalStatus: toCoding('allergyintolerance-clinical', 'active'),
    patient: toReference('Patient', id),
  }
  const listed = withNames(allergies ?? [], String).map(([text, name]) =>
    compact({ ...common, id: deriveId(`allergy ${id} ${name}`), code: { text } }),
  )
  const noneKnown = { coding: [{ system: 'http://snomed.info/sct', code: '716186003', display: 'No known allergy' }] }
  return allergiesStatus === 'none-known'
    ? [compact({ ...common, id: deriveId(`no allergy ${id}`), code: { ...noneKnown, text: 'No known allergies' } })]
    : listed
}

/** Returns the medications of a record. */
export function toMedications(patient: Patient): Resource[] {
  const { id, medications } = patient
  return withNames(medications ?? [], ({ name, dosage, frequency }) => JSON.stringify([name, dosage, frequency])).map(
    ([{ name, dosage, frequency }, key]) =>
      compact({
        resourceType: 'MedicationStatement',
        id: deriveId(`medication ${id} ${key}`),
        meta: toMeta(patient),
        status: 'active',
        medicationCodeableConcept: { text: name },
        subject: toReference('Patient', id),
        dosage: [toText([dosage, frequency].filter(Boolean).join(', '))].filter((each) => each !== undefined),
      }),
  )
}

/** Returns the medical history of a record: a Condition for each of its lines. */
export function toConditions(patient: Patient): Resource[] {
  const { id, medicalHistory } = patient
  const lines = (medicalHistory ?? '').split(/\r\n|[\r\n]/).map((line) => line.trim())
  return withNames(lines.filter(Boolean), String).map(([text, key]) =>
    compact({
      resourceType: 'Condition',
      id: deriveId(`condition ${id} ${key}`),
      meta: toMeta(patient),
      code: { text },
      subject: toReference('Patient', id),
    }),
  )
}

/** The statuses of R4 (https://hl7.org/fhir/R4/valueset-appointmentstatus.html); the CSV file has the practice's own. */
const appointmentStatuses: Record<AppointmentStatus, string> = {
  scheduled: 'booked',
  confirmed: 'booked',
  waiting: 'arrived',
  'in-progress': 'checked-in',
  completed: 'fulfilled',
  cancelled: 'cancelled',
  'no-show': 'noshow',
}

/** The statuses in which the patient has agreed to the time, or came. */
const accepted: ReadonlySet<AppointmentStatus> = new Set(['confirmed', 'waiting', 'in-progress', 'completed'])

/** The types that HL7's table 0276 has too. */
const reasonCodes: Partial<Record<AppointmentType, string>> = {
  'check-up': 'CHECKUP',
  'follow-up': 'FOLLOWUP',
  emergency: 'EMERGENCY',
}

function toAppointmentType(type: AppointmentType) {
  const code = reasonCodes[type]
  return { ...(code === undefined ? {} : toCoding('v2-0276', code)), text: type }
}

const formatName = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`

/** Returns an appointment. */
export function toAppointment(appointment: Appointment): Resource {
  const { id, status, type, reason, notes, appointmentDate: start, endsAt: end, duration, createdAt } = appointment
  const patient = toReference('Patient', appointment.patientId, formatName(appointment.patient))
  return compact({
    resourceType: 'Appointment',
    id,
    meta: toMeta(appointment),
    status: appointmentStatuses[status],
    appointmentType: toAppointmentType(type),
    reasonCode: reason ? [{ text: reason }] : [],
    start,
    end,
    minutesDuration: duration,
    created: createdAt,
    comment: notes,
    participant: [
      { actor: patient, status: accepted.has(status) ? 'accepted' : 'needs-action' },
      { actor: toReference('Practitioner', appointment.providerId), status: 'accepted' },
    ],
  })
}

/** Returns an entry of the waitlist: an Appointment without a time. */
export function toWaitlistAppointment(entry: ExportedEntry): Resource {
  const { id, patientId, patient, providerId, type, duration, earliest, latest, notes, waitingSince } = entry
  const participant = [{ actor: toReference('Patient', patientId, formatName(patient)), status: 'accepted' }]
  if (providerId !== null) participant.push({ actor: toReference('Practitioner', providerId), status: 'needs-action' })
  const period = compact({ start: earliest, end: latest })
  return compact({
    resourceType: 'Appointment',
    id,
    status: 'waitlist',
    appointmentType: toAppointmentType(type),
    minutesDuration: duration,
    created: waitingSince,
    comment: notes,
    participant,
    requestedPeriod: Object.keys(period).length > 0 ? [period] : [],
  })
}

type Measured = { code: string; display: string; unit: string; ucum: string }

/** The LOINC codes and UCUM units of vital signs (https://hl7.org/fhir/R4/observation-vitalsigns.html), and of pain. */
const observed: Record<Exclude<VitalSign, 'systolicPressure' | 'diastolicPressure'> | 'bodyMassIndex', Measured> = {
  heartRate: { code: '8867-4', display: 'Heart rate', unit: '/min', ucum: '/min' },
  respiratoryRate: { code: '9279-1', display: 'Respiratory rate', unit: '/min', ucum: '/min' },
  temperature: { code: '8310-5', display: 'Body temperature', unit: '°C', ucum: 'Cel' },
  oxygenSaturation: { code: '2708-6', display: 'Oxygen saturation in Arterial blood', unit: '%', ucum: '%' },
  weight: { code: '29463-7', display: 'Body weight', unit: 'kg', ucum: 'kg' },
  height: { code: '8302-2', display: 'Body height', unit: 'cm', ucum: 'cm' },
  painScore: {
    code: '72514-3',
    display: 'Pain severity - 0-10 verbal numeric rating [Score] - Reported',
    unit: 'score',
    ucum: '{score}',
  },
  bodyMassIndex: { code: '39156-5', display: 'Body mass index (BMI) [Ratio]', unit: 'kg/m2', ucum: 'kg/m2' },
}
const pressures = {
  panel: { code: '85354-9', display: 'Blood pressure panel with all children optional' },
  systolicPressure: { code: '8480-6', display: 'Systolic blood pressure' },
  diastolicPressure: { code: '8462-4', display: 'Diastolic blood pressure' },
} as const

const toLoinc = ({ code, display }: { code: string; display: string }) => ({
  coding: [{ system: 'http://loinc.org', code, display }],
  text: display,
})
const toQuantity = (value: number, { unit, ucum }: Pick<Measured, 'unit' | 'ucum'>) => ({
  value,
  unit,
  system: 'http://unitsofmeasure.org',
  code: ucum,
})

/** A measurement as its reader returns it. */
export type ExportedMeasurement = VitalValues & {
  id: string
  patientId: string
  status: VitalSignsStatus
  measuredAt: string
  updatedAt: string
  notes: string | null
}

/** Returns a measurement as an Observation for each value; both blood pressures are one. */
export function toObservations(measurement: ExportedMeasurement): Resource[] {
  const { id, patientId, status, measuredAt, updatedAt, notes, systolicPressure, diastolicPressure } = measurement
  const values = { ...measurement, bodyMassIndex: computeBodyMassIndex(measurement) }
  const observe = (name: string, code: Parameters<typeof toLoinc>[0], rest: object): Resource =>
    compact({
      resourceType: 'Observation',
      id: deriveId(`observation ${id} ${name}`),
      meta: compact({ lastUpdated: updatedAt }),
      status: status === 'recorded' ? 'final' : 'entered-in-error',
      category: [toCoding('observation-category', 'vital-signs')],
      code: toLoinc(code),
      subject: toReference('Patient', patientId),
      effectiveDateTime: measuredAt,
      ...rest,
      note: notes ? [{ text: notes }] : [],
    })
  const mmHg = { unit: 'mmHg', ucum: 'mm[Hg]' }
  const panel =
    systolicPressure === null || diastolicPressure === null
      ? []
      : [
          observe('bloodPressure', pressures.panel, {
            component: [
              { code: toLoinc(pressures.systolicPressure), valueQuantity: toQuantity(systolicPressure, mmHg) },
              { code: toLoinc(pressures.diastolicPressure), valueQuantity: toQuantity(diastolicPressure, mmHg) },
            ],
          }),
        ]
  const others = (Object.keys(observed) as (keyof typeof observed)[]).flatMap((name) => {
    const value = values[name]
    return value === null ? [] : [observe(name, observed[name], { valueQuantity: toQuantity(value, observed[name]) })]
  })
  return [...panel, ...others]
}

function toAnswer({ question, answer }: AnsweredQuestion): Record<string, unknown> {
  if (typeof answer === 'boolean') return { valueBoolean: answer }
  if (typeof answer === 'number') return { valueDecimal: answer }
  return { valueString: formatAnswer(question, answer) }
}

/** Returns a form with its answers as a QuestionnaireResponse. Analyses are only in the tables. */
export const toQuestionnaireResponse = (form: Form): Resource =>
  compact({
    resourceType: 'QuestionnaireResponse',
    id: form.id,
    status: form.submittedAt === null ? 'in-progress' : 'completed',
    subject: toReference('Patient', form.patientId),
    authored: form.submittedAt ?? form.createdAt,
    item: listAnswers(form)
      .filter(({ question, answer }) => formatAnswer(question, answer).trim() !== '')
      .map((answered) =>
        compact({ linkId: answered.questionId, text: answered.question?.label, answer: [toAnswer(answered)] }),
      ),
  })
