import type { Appointment } from '#contracts/appointments.ts'
import type { Patient } from '#contracts/patients.ts'
import { formatAnswer } from '#contracts/form-answers.ts'
import { findTemplate, listQuestions } from '#contracts/form-templates.ts'
import type { Form, Question } from '#contracts/forms.ts'
import type { Practice } from '#contracts/practices.ts'
import type { Provider } from '#contracts/providers.ts'
import type { AppointmentType } from '#contracts/values/appointments.ts'
import { formatCsvCell } from '#contracts/values/csv.ts'
import type { Answer, Finding } from '#contracts/values/forms.ts'
import type { DayHours, Weekday } from '#contracts/values/working-hours.ts'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import type { Closure } from '#contracts/working-hours.ts'
import type { MemberRow } from '#modules/accounts/public.ts'

type Cell = string | number | boolean | null | undefined

/** The columns of a CSV file, in order, and the cell of each in a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

const formatLine = (cells: readonly Cell[]) =>
  `${cells.map((cell) => formatCsvCell(cell === null || cell === undefined ? '' : String(cell))).join(',')}\r\n`

/** Returns the first line of a file, after the byte order mark that Excel needs. */
export const formatHeader = (columns: Columns<never>): string => `\u{FEFF}${formatLine(Object.keys(columns))}`

/** Returns one line of a file. */
export const formatRow = <Row>(columns: Columns<Row>, row: Row): string =>
  formatLine(Object.values(columns).map((toCell) => toCell(row)))

export const practiceColumns: Columns<Practice> = {
  practice_id: ({ id }) => id,
  name: ({ name }) => name,
  address: ({ address }) => address,
  phone: ({ phone }) => phone,
  email: ({ email }) => email,
  website: ({ website }) => website,
  npi: ({ npi }) => npi,
  tax_id: ({ taxId }) => taxId,
  specialties: ({ specialties }) => specialties.join('; '),
  time_zone: ({ timezone }) => timezone,
}

export const workingHoursColumns: Columns<{ weekday: Weekday; hours: DayHours | null }> = {
  weekday: ({ weekday }) => weekday,
  closed: ({ hours }) => hours === null,
  opens: ({ hours }) => hours?.opens,
  closes: ({ hours }) => hours?.closes,
  breaks: ({ hours }) => hours?.breaks.map(({ from, until }) => `${from}-${until}`).join(' '),
}

export const closureColumns: Columns<Closure> = {
  closure_id: ({ id }) => id,
  provider_id: ({ providerId }) => providerId,
  name: ({ name }) => name,
  first_date: ({ from }) => from,
  last_date: ({ until }) => until,
}

type AppointmentTypeRow = Practice['settings']['appointmentTypes'][AppointmentType] & { type: AppointmentType }

export const appointmentTypeColumns: Columns<AppointmentTypeRow> = {
  type: ({ type }) => type,
  duration_minutes: ({ duration }) => duration,
  fee: ({ fee }) => fee && (fee.cents / 100).toFixed(2),
  currency: ({ fee }) => fee?.currency,
  color: ({ colour }) => colour,
}

export const patientColumns: Columns<Patient> = {
  patient_id: ({ id }) => id,
  first_name: ({ firstName }) => firstName,
  last_name: ({ lastName }) => lastName,
  date_of_birth: ({ dateOfBirth }) => dateOfBirth,
  gender: ({ gender }) => gender,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  address: ({ address }) => address,
  emergency_contact_name: ({ emergencyContact }) => emergencyContact?.name,
  emergency_contact_relationship: ({ emergencyContact }) => emergencyContact?.relationship,
  emergency_contact_phone: ({ emergencyContact }) => emergencyContact?.phone,
  medical_history: ({ medicalHistory }) => medicalHistory,
  allergies_status: ({ allergiesStatus }) => allergiesStatus,
  notes: ({ notes }) => notes,
  deceased_on: ({ deceasedOn }) => deceasedOn,
  last_visit: ({ lastVisit }) => lastVisit,
  sample: ({ sample }) => sample,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
}

/** A part of a patient's record that has a file of its own. */
type PartOf<Part> = { patient: Pick<Patient, 'id'>; part: Part }

export const insuranceColumns: Columns<PartOf<NonNullable<Patient['insuranceInfo']>>> = {
  patient_id: ({ patient }) => patient.id,
  provider: ({ part }) => part.provider,
  policy_number: ({ part }) => part.policyNumber,
  group_number: ({ part }) => part.groupNumber,
  member_name: ({ part }) => part.memberName,
}

export const allergyColumns: Columns<PartOf<string>> = {
  patient_id: ({ patient }) => patient.id,
  allergy: ({ part }) => part,
}

export const medicationColumns: Columns<PartOf<NonNullable<Patient['medications']>[number]>> = {
  patient_id: ({ patient }) => patient.id,
  name: ({ part }) => part.name,
  dosage: ({ part }) => part.dosage,
  frequency: ({ part }) => part.frequency,
}

export const appointmentColumns: Columns<Appointment> = {
  appointment_id: ({ id }) => id,
  patient_id: ({ patientId }) => patientId,
  patient_first_name: ({ patient }) => patient.firstName,
  patient_last_name: ({ patient }) => patient.lastName,
  provider_id: ({ providerId }) => providerId,
  starts_at: ({ appointmentDate }) => appointmentDate,
  ends_at: ({ endsAt }) => endsAt,
  local_date: ({ localDate }) => localDate,
  local_time: ({ localTime }) => localTime,
  duration_minutes: ({ duration }) => duration,
  type: ({ type }) => type,
  status: ({ status }) => status,
  status_since: ({ statusSince }) => statusSince,
  reason: ({ reason }) => reason,
  notes: ({ notes }) => notes,
  overlaps: ({ overlap }) => overlap,
  series_id: ({ seriesId }) => seriesId,
  fee: ({ fee }) => fee && (fee.cents / 100).toFixed(2),
  currency: ({ fee }) => fee?.currency,
  sample: ({ sample }) => sample,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
}

/** An entry of the waitlist; the records of its patient and of its appointment are in tables of their own. */
export type ExportedEntry = Omit<WaitlistEntry, 'patientDeceased' | 'appointmentDate' | 'isOver'>

export const waitlistColumns: Columns<ExportedEntry> = {
  waitlist_entry_id: ({ id }) => id,
  patient_id: ({ patientId }) => patientId,
  patient_first_name: ({ patient }) => patient.firstName,
  patient_last_name: ({ patient }) => patient.lastName,
  provider_id: ({ providerId }) => providerId,
  type: ({ type }) => type,
  duration_minutes: ({ duration }) => duration,
  first_day: ({ earliest }) => earliest,
  last_day: ({ latest }) => latest,
  appointment_id: ({ appointmentId }) => appointmentId,
  notes: ({ notes }) => notes,
  waiting_since: ({ waitingSince }) => waitingSince,
}

export const providerColumns: Columns<Provider> = {
  provider_id: ({ id }) => id,
  user_id: ({ userId }) => userId,
  name: ({ name }) => name,
  title: ({ title }) => title,
  active: ({ active }) => active,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
}

export const memberColumns: Columns<MemberRow> = {
  user_id: ({ userId }) => userId,
  first_name: ({ firstName }) => firstName,
  last_name: ({ lastName }) => lastName,
  email: ({ email }) => email,
  role: ({ role }) => role,
  owner: ({ isOwner }) => isOwner,
  suspended: ({ isSuspended }) => isSuspended,
  two_factor: ({ hasTwoFactor }) => hasTwoFactor,
  last_day: ({ lastDay }) => lastDay,
  joined_at: ({ joinedAt }) => joinedAt,
}

export const formColumns: Columns<Form> = {
  form_id: ({ id }) => id,
  patient_id: ({ patientId }) => patientId,
  patient_first_name: ({ patient }) => patient.firstName,
  patient_last_name: ({ patient }) => patient.lastName,
  form_type: ({ formType }) => formType,
  template_version: ({ templateVersion }) => templateVersion,
  title: ({ title }) => title,
  status: ({ status }) => status,
  submitted_at: ({ submittedAt }) => submittedAt,
  reviewed_at: ({ reviewedAt }) => reviewedAt,
  reviewed_by: ({ reviewedBy }) => reviewedBy?.id,
  completed_at: ({ completedAt }) => completedAt,
  analyst: ({ aiAnalysis }) => aiAnalysis?.analyst,
  model: ({ aiAnalysis }) => aiAnalysis?.model,
  analyzed_at: ({ aiAnalysis }) => aiAnalysis?.analyzedAt,
  summary: ({ aiAnalysis }) => aiAnalysis?.summary,
  created_at: ({ createdAt }) => createdAt,
}

/** An answer of a form; `question` is missing for one that its template does not ask for. */
export type AnsweredQuestion = { form: Form; questionId: string; question: Question | undefined; answer: Answer }

/** Returns the answers of a form in the order of its template, and then the others. */
export function listAnswers(form: Form): AnsweredQuestion[] {
  const template = findTemplate(form.formType, form.templateVersion)
  const questions = template ? listQuestions(template) : []
  const order = new Map(questions.map((question, index) => [question.id, { question, index }]))
  return Object.entries(form.formData ?? {})
    .map(([questionId, answer]) => ({ form, questionId, answer, place: order.get(questionId) }))
    .toSorted((a, b) => (a.place?.index ?? questions.length) - (b.place?.index ?? questions.length))
    .map(({ place, ...rest }) => ({ ...rest, question: place?.question }))
}

export const formAnswerColumns: Columns<AnsweredQuestion> = {
  form_id: ({ form }) => form.id,
  patient_id: ({ form }) => form.patientId,
  question_id: ({ questionId }) => questionId,
  question: ({ question }) => question?.label,
  answer: ({ question, answer }) => formatAnswer(question, answer),
}

export const formFindingColumns: Columns<{ form: Form; finding: Finding }> = {
  form_id: ({ form }) => form.id,
  patient_id: ({ form }) => form.patientId,
  severity: ({ finding }) => finding.severity,
  finding: ({ finding }) => finding.text,
  evidence: ({ finding }) => finding.evidence.map(({ questionId, quote }) => `${questionId}: ${quote}`).join('; '),
}
