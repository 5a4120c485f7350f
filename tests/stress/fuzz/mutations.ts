import { deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'

const deepArray = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const deepObject = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)

/** Values that have broken programs: types, sizes, characters, dates, names of prototypes, pieces of other languages. */
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    -1e308,
    '',
    ' ',
    '0',
    'null',
    [],
    {},
    [null],
    [[[[[[]]]]]],
    { constructor: { prototype: { polluted: true } } },
    { toString: 1, valueOf: null, length: -1 },
  ),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    '\uffff',
    '\u202egnp.exe',
    'e\u0301'.repeat(500),
    '👩‍👩‍👧‍👦'.repeat(50),
    'ﷺ'.repeat(100),
    'İıſẞ',
    '\u200b\u00a0\ufeff',
    '__proto__',
    "'; drop table es.events; --",
    '%_\\',
    '${7*7}{{7*7}}<script>alert(1)</script>',
    '../../etc/passwd',
    'x'.repeat(100_000),
  ),
  fc.constantFrom(
    '0000-00-00',
    '2026-02-30',
    '9999-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00Z',
    '+275760-09-13T00:00:00.000Z',
    '2031-03-09T02:30',
    '2099-12-31T23:59',
    '2000-01-01T00:00:00+14:00',
  ),
  fc.constantFrom(...['patientId', 'appointmentId', 'providerId', 'seriesId'].map((name) => `{{other.${name}}}`)),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.jsonValue({ maxDepth: 3 }),
)

type Path = readonly (string | number)[]

/** Returns the paths of all values within a value, itself included. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [path, ...entries.flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
}

/** Returns a copy in which the value at a path is replaced; undefined removes it. */
function replaceAt(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement
  if (Array.isArray(value))
    return value.map((inner, index) => (index === key ? replaceAt(inner, rest, replacement) : inner))
  const fields = value as Record<string, unknown>
  return { ...fields, [key]: replaceAt(fields[key], rest, replacement) }
}

/** Returns variations of a value with one part replaced, removed or added. */
export function mutate(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const place = fc.nat(10_000)
  const pick = (value: unknown, at: number) => {
    const paths = pathsOf(value)
    return paths[at % paths.length] ?? []
  }
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(valid, place, oddValue).map(([value, at, odd]) => replaceAt(value, pick(value, at), odd)),
    },
    { weight: 1, arbitrary: fc.tuple(valid, place).map(([value, at]) => replaceAt(value, pick(value, at), undefined)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          valid,
          fc.constantFrom('unknownField', '__proto__', 'constructor', 'id', 'practiceId', 'role', ''),
          oddValue,
        )
        .map(([value, key, odd]) => Object.fromEntries([...Object.entries(Object(value)), [key, odd]])),
    },
  )
}

/** Bodies that are not JSON, or JSON that is hard to read. */
const brokenText = (json: string) =>
  fc.constantFrom<string | Buffer>(
    '',
    json.slice(0, -1),
    `${json}${json}`,
    `\ufeff${json}`,
    'NaN',
    '1e999999',
    '"\\ud800"',
    `{"__proto__":{"polluted":1},"constructor":{"prototype":{}}}`,
    deepArray(20_000),
    deepObject(20_000),
    deepObject(500),
    ' '.repeat(1_100_000),
    Buffer.from(json, 'utf16le'),
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  )

/** A body as it travels, with the headers that describe it. */
export type EncodedBody = { body: string | Buffer; headers: Record<string, string> }

const json = 'application/json'
const plain = (body: string | Buffer, headers: Record<string, string> = {}): EncodedBody => ({
  body,
  headers: { 'content-type': json, ...headers },
})

/** Twenty megabytes of blanks in twenty kilobytes. */
const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, 0x20))

/** Returns a body in plain JSON mostly, otherwise broken, compressed, or declared as something else. */
export const encodings = (text: string): fc.Arbitrary<EncodedBody> =>
  fc.oneof(
    { weight: 16, arbitrary: fc.constant(plain(text)) },
    { weight: 2, arbitrary: brokenText(text).map((body) => plain(body)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        plain(gzipSync(text), { 'content-encoding': 'gzip' }),
        plain(deflateSync(text), { 'content-encoding': 'deflate' }),
        plain(text, { 'content-encoding': 'gzip' }),
        plain(gzipSync(text).subarray(0, 12), { 'content-encoding': 'gzip' }),
        plain(text, { 'content-encoding': 'x-unknown, gzip' }),
        plain(bomb, { 'content-encoding': 'gzip' }),
        plain(text, { 'transfer-encoding': 'chunked' }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'application/json; charset=utf-16',
          'application/json;;',
          '',
        )
        .map((type) => plain(text, { 'content-type': type })),
    },
  )

/** Headers of odd clients; most requests have none. */
export const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { accept: 'text/html;q=0.1, */*;q=0' },
      { 'accept-encoding': 'br;q=1.0, gzip;q=0, *;q=0' },
      { 'accept-language': 'x'.repeat(4_000) },
      { origin: 'null' },
      { origin: 'https://elsewhere.example' },
      { origin: 'http://[' },
      { 'sec-fetch-site': 'cross-site' },
      { host: 'elsewhere.example:99999' },
      { 'x-correlation-id': "'; select 1" },
      { 'x-forwarded-for': 'not an address, 999.1.1.1', 'x-forwarded-proto': 'gopher' },
      { 'idempotency-key': '' },
      { 'idempotency-key': '"5c7e1f0a-8b7f-4d8e-9d5e-0f1f6f2a3b4c"' },
      { 'idempotency-key': 'k'.repeat(5_000) },
      { 'if-none-match': '*', 'if-modified-since': 'yesterday' },
      { range: 'bytes=0-0,-1,5-' },
      { cookie: 'everchart.sid=; everchart.sid.sig=; __Host-everchart.sid=%00' },
      { cookie: `everchart.sid=${'A'.repeat(6_000)}; everchart.sid.sig=B` },
      { 'last-event-id': '-1' },
      { connection: 'close' },
    ),
  },
)

/** Parts of a path in place of an id. */
export const oddIds = fc.oneof(
  fc.constantFrom(
    '%00',
    '%ff',
    '%',
    '..%2f..',
    '%2e%2e',
    '0',
    '-1',
    'null',
    'undefined',
    "' or 1=1",
    'x'.repeat(3_000),
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
)
