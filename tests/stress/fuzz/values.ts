import fc from 'fast-check'
import { z } from 'zod'

/** The part of JSON Schema that zod writes for a request. */
type Schema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  propertyNames?: Schema
  additionalProperties?: Schema | boolean
  items?: Schema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

/** The fields and parameters of requests that name a record. */
const recordIds = [
  'practiceId',
  'patientId',
  'providerId',
  'appointmentId',
  'seriesId',
  'waitlistEntryId',
  'calendarFeedId',
  'invitationId',
  'importId',
  'invoiceId',
  'formId',
  'verificationId',
  'closureId',
  'confirmationId',
  'exportId',
  'insightId',
  'sessionId',
  'userId',
]

/** The id of nothing. */
export const unknownId = '00000000-0000-4000-8000-000000000000'

/**
 * Returns the name of the records that a parameter of a path names: that of the parameter, or of the collection when it is `id`.
 * The ids of records are noted by these names.
 */
export const getRecordName = (path: string, parameter: string): string =>
  parameter === 'id' ? (path.split('/:')[0] ?? '') : parameter

/**
 * An id of the caller's practice mostly; otherwise of another practice, or of none. `{{own.patientId}}` is replaced by an id of the
 * practice at the moment of sending.
 */
export const arbitraryId = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(`{{own.${name}}}`) },
    { weight: 1, arbitrary: fc.constant(`{{other.${name}}}`) },
    { weight: 1, arbitrary: fc.constant(unknownId) },
  )

/** A secret of the caller's practice, which opens what it was made for, or one that was made for nothing. */
export const arbitrarySecret = (name: string): fc.Arbitrary<string> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(`{{own.${name}}}`) }, { weight: 1, arbitrary: fc.constant('unknown') })

const instants = fc.constantFrom('2031-03-05T09:00', '2031-03-05T14:30:00Z', '2032-07-01T10:00:00+02:00')
const times = fc.constantFrom('08:00', '09:30', '12:00', '12:30', '17:00')
/** A file of more than a megabyte: uploads of that size are queued. */
const largeFile = `First Name,Last Name,Notes\n${`Ada,Large,${'n'.repeat(6_000)}\n`.repeat(200)}`
const csvFiles = [
  'First Name,Last Name,DOB\nGrace,Hopper,1980-01-01\n',
  'Name;Phone;Email\n"Lovelace; Ada";617-555-0101;ada@example.test\n;;\n',
  '\ufefffirst,last,birth date\r\nJosé,Nuñez,03/04/1980\r\n',
]
const csvCell = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '"',
    '""',
    '"a',
    'a"b',
    '\n',
    '\r',
    ',;\t',
    '=1+1',
    '01/02/03',
    '\u0000',
    '\ufeff',
    'Name',
    'Phone',
  ),
  fc.string({ unit: 'grapheme', maxLength: 10 }),
)
/** Files that no spreadsheet has written: unbalanced quotes, rows of different lengths, strange characters. */
const brokenCsv = fc
  .tuple(
    fc.constantFrom(',', ';', '\t', '|'),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.array(fc.array(csvCell), { maxLength: 8 }),
  )
  .map(([separator, lineBreak, rows]) => rows.map((cells) => cells.join(separator)).join(lineBreak))
const word = fc.stringMatching(/^[a-z]{6,12}$/)

/** The fields of a passkey that hold bytes. */
const credentialFields = [
  'id',
  'rawId',
  'clientDataJSON',
  'attestationObject',
  'authenticatorData',
  'signature',
  'userHandle',
]
const toBase64Url = (text: string) => Buffer.from(text, 'base64').toString('base64url')

/** Values of fields whose rules a schema cannot express, by name. */
const known: Record<string, fc.Arbitrary<unknown>> = {
  ...Object.fromEntries(recordIds.map((name) => [name, arbitraryId(name)])),
  excluding: arbitraryId('appointmentId'),
  token: arbitrarySecret('formToken'),
  access: arbitrarySecret('formAccess'),
  upTo: arbitraryId('notificationId'),
  ids: fc.array(arbitraryId('notificationId'), { minLength: 1, maxLength: 2 }),
  dateOfBirth: fc.constantFrom('1950-05-05', '1950-05-05', '1950-05-05', '2001-02-03', null),
  from: fc.constantFrom('2031-11-27', '2031-12-24'),
  until: fc.constantFrom('2031-12-26', '2031-12-31'),
  to: fc.constantFrom('2031-12-26', '2031-12-31'),
  recurrence: fc.constantFrom(
    { every: 1, unit: 'week', count: 3 },
    { every: 2, unit: 'week', weekdays: ['tuesday'], until: '2031-06-30' },
  ),
  resolutions: fc.constant([]),
  opens: fc.constantFrom('08:00', '09:30'),
  closes: fc.constantFrom('17:00', '18:30'),
  breaks: fc.constantFrom([], [{ from: '12:00', until: '13:00' }]),
  ...Object.fromEntries(
    ['icdCodes', 'diagnosisCodes'].map((name) => [name, fc.constantFrom([], ['E11.9'], ['J45.909', 'I10'])]),
  ),
  ...Object.fromEntries(['cptCodes', 'procedureCodes'].map((name) => [name, fc.constantFrom([], ['99213'])])),
  formData: fc.oneof(fc.constant({}), fc.dictionary(word, fc.string({ maxLength: 10 }), { maxKeys: 2 })),
  email: word.map((name) => `${name}@example.test`),
  username: word,
  password: fc.constantFrom('a long enough password', '12345678', 'пароль из слов'),
  code: fc.constantFrom('000000', '123 456', '407123'),
  name: fc.constantFrom('Harbor Clinic', 'Núñez & Söhne', '李医生'),
  address: fc.constantFrom('418 Harbor Street, Lakeside', '1 Main St\nApt 2'),
  phone: fc.constantFrom('(617) 555-0123', '+49 30 901820'),
  website: fc.constantFrom('', 'https://fuzz.example.com', null),
  npi: fc.constantFrom('', '1234567893', null),
  timezone: fc.constantFrom('America/New_York', 'Asia/Kathmandu', 'Pacific/Apia'),
  priceId: fc.constantFrom(...['starter', 'professional', 'enterprise'].map((plan) => `price_sandbox_${plan}`)),
  clientSecret: fc.constantFrom('{{own.clientSecret}}', '{{other.clientSecret}}', 'unknown'),
  cardNumber: fc.constantFrom('4242 4242 4242 4242', '4000 0000 0000 0002', '4000 0025 0000 3155'),
  cvc: fc.constantFrom('123', '1234'),
  csv: fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...csvFiles) },
    { weight: 20, arbitrary: brokenCsv },
    { weight: 1, arbitrary: fc.constant(largeFile) },
  ),
  secret: fc.constantFrom('{{own.calendarSecret}}', 'unknown'),
  cursor: fc.constantFrom('{{own.cursor}}', '{{other.cursor}}', 'bnVsbA', 'e30'),
  revision: fc.integer({ min: 0, max: 3 }),
  mapping: fc.constantFrom([], [{ heading: 'DOB', field: 'dateOfBirth' }], [{ heading: 'First Name', field: null }]),
  search: fc.constantFrom('Grace', 'hoper', '1980-01-01', '617', '%', ''),
  days: fc.integer({ min: 1, max: 62 }),
  duration: fc.constantFrom(15, 30, 60),
  count: fc.integer({ min: 2, max: 6 }),
  deceasedOn: fc.constantFrom(null, '2020-01-01'),
  ...Object.fromEntries(
    credentialFields.map((name) => [name, fc.base64String({ minLength: 4, maxLength: 40 }).map(toBase64Url)]),
  ),
}

const alternatives = (schemas: readonly Schema[], name: string) =>
  fc.oneof(...schemas.map((schema) => arbitraryFromJson(schema, name)))

function arbitraryFromJson(schema: Schema, name: string): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const hint = known[name]
  if (hint) return hint
  const options = schema.anyOf ?? schema.oneOf
  if (options) return alternatives(options, name)
  if (schema.allOf?.[0]) return arbitraryFromJson(schema.allOf[0], name)
  if (Array.isArray(schema.type))
    return alternatives(
      schema.type.map((type) => ({ ...schema, type })),
      name,
    )
  switch (schema.type) {
    case 'object':
      return arbitraryObject(schema, name)
    case 'array': {
      const { minItems: minLength = 0, maxItems = 3 } = schema
      return fc.array(arbitraryFromJson(schema.items ?? {}, ''), {
        minLength,
        maxLength: Math.max(minLength, Math.min(maxItems, 3)),
      })
    }
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return arbitraryNumber(schema)
    case 'null':
      return fc.constant(null)
    default:
      return schema.type === 'string' ? arbitraryText(schema) : fc.jsonValue({ maxDepth: 1 })
  }
}

function arbitraryObject(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const { properties, required = [], propertyNames, additionalProperties } = schema
  if (properties) return arbitraryRecord(properties, required)
  const keys = propertyNames?.enum as string[] | undefined
  const value = arbitraryFromJson(typeof additionalProperties === 'object' ? additionalProperties : {}, name)
  return fc.dictionary(keys ? fc.constantFrom(...keys) : word, value, { maxKeys: 3 })
}

/** Half of all objects have at most two optional fields: of many fields, one is always wrong. */
function arbitraryRecord(properties: Record<string, Schema>, requiredKeys: string[]): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([key, field]) => [key, arbitraryFromJson(field, key)]),
  )
  const optional = Object.keys(fields).filter((key) => !requiredKeys.includes(key))
  const any = fc.record(fields, { requiredKeys })
  if (optional.length <= 2) return any
  const few = fc.tuple(fc.record(fields), fc.subarray(optional, { maxLength: 2 })).map(([values, chosen]) => {
    const keys = [...requiredKeys, ...chosen]
    return Object.fromEntries(Object.entries(values as object).filter(([key]) => keys.includes(key)))
  })
  return fc.oneof(any, few)
}

function arbitraryNumber({ minimum = 0, maximum = 1_000, type }: Schema): fc.Arbitrary<number> {
  const range = { min: minimum, max: Math.max(minimum, Math.min(maximum, minimum + 1_000)) }
  return type === 'integer' ? fc.integer(range) : fc.double({ ...range, noNaN: true })
}

function arbitraryText({ format, pattern = '', minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.constant(unknownId)
  if (format === 'date') return fc.constantFrom('2001-02-03', '2024-02-29', '2026-03-08')
  // The pattern of a date and time that may lack a zone, for which JSON Schema has no format.
  if (format === 'date-time' || pattern.includes(')T(')) return instants
  // The pattern of a time of day.
  if (pattern.endsWith(':[0-5]\\d$') || pattern.includes('|24:00')) return times
  if (format === 'email') return word.map((name) => `${name}@example.test`)
  return fc.string({
    unit: 'grapheme',
    minLength: Math.max(1, minLength),
    maxLength: Math.max(minLength, Math.min(maxLength, 40)),
  })
}

/** Returns values that mostly satisfy the schema of a request, with ids of records as placeholders. */
export function arbitraryFromContract(schema: z.ZodType): fc.Arbitrary<unknown> {
  // Without a registry, names that another user of zod gave to schemas are not resolved.
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: z.registry() })
  return arbitraryFromJson(json as Schema, '')
}
