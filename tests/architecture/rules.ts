import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { isUnitTest } from '#tests/support/projects.ts'
import { layers } from './layers.ts'

/** Path from the root of the checkout → text. */
export type Files = ReadonlyMap<string, string>

type Rule = {
  name: string
  /** Returns one line for each offence, in the order of the files. */
  offenders(files: Files): string[]
  /** A small tree that breaks the rule; it proves that the rule can fail. */
  planted: Record<string, string>
  /** The result of `offenders` for `planted`. */
  reports: readonly string[]
}

const { imports: aliases } = JSON.parse(readFileSync('package.json', 'utf8')) as { imports: Record<string, string> }

const withoutComments = (text: string) => text.replaceAll(/^\s*(\/\/|\*).*$/gm, '')

/** Returns what a file imports: paths from the root of the checkout, and `npm:<name>` for packages. */
function importsOf(file: string, text: string): string[] {
  return [...withoutComments(text).matchAll(/\b(?:from\s+|import\s+|import\(\s*)'([^']+)'/g)].map(([, name = '']) => {
    const alias = Object.keys(aliases).find((key) => name.startsWith(key.slice(0, -1)))
    if (alias) return normalize((aliases[alias] ?? '').replace('*', name.slice(alias.length - 1)))
    return name.startsWith('.') ? join(dirname(file), name) : `npm:${name}`
  })
}

const isPackage = (target: string) => target.startsWith('npm:')
const isProduct = (file: string) => /^(contracts|backend|web)\//.test(file)

/** Returns `file → import` for every import that `isOffence` accepts. */
function offendingImports(files: Files, isOffence: (file: string, target: string) => boolean): string[] {
  return [...files].flatMap(([file, text]) =>
    importsOf(file, text)
      .filter((target) => isOffence(file, target))
      .map((target) => `${file} → ${target}`),
  )
}

const offendingFiles = (files: Files, isOffence: (file: string, text: string) => boolean) =>
  [...files].filter(([file, text]) => isOffence(file, text)).map(([file]) => file)

/** Returns the longest of the places that is the file or a folder around it. */
function placeOf(file: string, places: readonly string[]): string | undefined {
  const around = places.filter((place) => file === place || file.startsWith(`${place}/`))
  return around.toSorted((one, other) => other.length - one.length)[0]
}

const layerOf = (file: string) => placeOf(file, Object.keys(layers))
const isStandIn = (file: string) => file.startsWith('backend/stand-ins/')
const isInBackend = (file: string) => file.startsWith('backend/')

function crossesLayers(file: string, target: string): boolean {
  if (!isProduct(file) || isPackage(target)) return false
  const layer = layerOf(file) ?? ''
  return ![layer, ...(layers[layer] ?? [])].includes(layerOf(target) ?? '')
}

/** The rules of the practice: no clock, no network, no database. */
const pure = /^backend\/(modules|stand-ins)\/.+\/(events|decider|projection|process-manager)\.ts$/
const pureTargets =
  /^(contracts\/|backend\/eventstore\/(event|decider)\.ts$|backend\/projections\/projection\.ts$|backend\/process-managers\/process-manager\.ts$)/
const purePackages = /^npm:(zod|date-fns(\/\w+)?)$/
const impureCalls = /new Date\(\)|Date\.now\(|Math\.random\(|randomUUID/

/** A helper of a pure file is pure when everything it imports is. */
function isPureTarget(files: Files, target: string, seen: readonly string[] = []): boolean {
  if (pure.test(target) || pureTargets.test(target) || purePackages.test(target)) return true
  if (!/^backend\/(modules|stand-ins)\//.test(target) || seen.includes(target)) return false
  return importsOf(target, files.get(target) ?? '').every((next) => isPureTarget(files, next, [...seen, target]))
}

/** Returns the module of a file; undefined for what belongs to none, `backend/modules/kit` included. */
const moduleOf = (file: string) => /^backend\/modules\/(?!kit\/)([^/]+)\//.exec(file)?.[1]
const featureOf = (file: string) => /^web\/features\/([^/]+)\//.exec(file)?.[1]
const isPublicOfModule = (target: string) => /^backend\/modules\/.+\/(events|public)\.ts$/.test(target)

/** Returns the module that owns each read table: the one in whose `projection.ts` it is declared. */
function ownersOfTables(files: Files): Map<string, string> {
  const declarations = [...files].filter(([file]) => /^backend\/modules\/.+\/projection\.ts$/.test(file))
  return new Map(
    declarations.flatMap(([file, text]) =>
      [...text.matchAll(/^ {2}name: '(\w+)',$/gm)].map(([, table = '']) => [table, moduleOf(file) ?? ''] as const),
    ),
  )
}

/** Returns `module → read.table` for every table that the module's SQL names and another module owns. */
function foreignTables(files: Files): string[] {
  const owners = ownersOfTables(files)
  const found = [...files].flatMap(([file, text]) => {
    const reader = moduleOf(file)
    if (reader === undefined) return []
    return [...withoutComments(text).matchAll(/\bread\.(\w+)/g)]
      .filter(([, table = '']) => owners.has(table) && owners.get(table) !== reader)
      .map(([, table = '']) => `${reader} → read.${table}`)
  })
  return [...new Set(found)].toSorted()
}

/**
 * Returns `file: name` for every public function of a module that returns SQL over the module's tables: the reader's SQL would read
 * them without naming them.
 */
function exportedSql(files: Files): string[] {
  const publicFiles = [...files].filter(([file]) => moduleOf(file) !== undefined && file.endsWith('/public.ts'))
  return publicFiles.flatMap(([file, text]) =>
    withoutComments(text)
      .split(/\n(?=export )/)
      .flatMap((chunk) => {
        const name = /^export (?:async )?(?:const|function) (\w+)/.exec(chunk)?.[1]
        // What is not exported stands between two exports, and is no part of either.
        const [statement = ''] = chunk.split(/\n(?=(?:const|function|async function|type|import)\b)/)
        const isSql = name?.endsWith('Sql') === true || /= \w+\.\w+Sql\s*$/.test(statement)
        const returnsFragment = /\): (?:\w+\.)?(?:Fragment|ReturnType<typeof sql\.fragment>)/.test(statement)
        const isTableText = /\b(?:read|app)\.\w+/.test(statement) && !/sql\.(?:type|unsafe)|\.query[<(]/.test(statement)
        return name !== undefined && (isSql || returnsFragment || isTableText) ? [`${file}: ${name}`] : []
      }),
  )
}

/** Returns every import cycle once, as `a → b → a`. */
function cycles(files: Files): string[] {
  const done = new Set<string>()
  const found: string[] = []
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file].join(' → '))
      return
    }
    if (done.has(file)) return
    const text = files.get(file)
    if (text === undefined) return
    for (const target of importsOf(file, text)) walk(target, [...path, file])
    done.add(file)
  }
  for (const file of files.keys()) walk(file, [])
  return found
}

/** Imports that a unit test must not reach: a database, a process, a browser. */
const heavy =
  /^(tests\/support\/(test-database|test-app|everchart-process)\.ts|npm:(node:child_process|playwright|pg))$/

/** Returns the path of imports from a file to the first heavy one; undefined when there is none. */
function pathToHeavy(files: Files, file: string, seen = new Set<string>()): string | undefined {
  if (heavy.test(file)) return file
  if (seen.has(file) || !file.startsWith('tests/')) return undefined
  seen.add(file)
  for (const target of importsOf(file, files.get(file) ?? '')) {
    const rest = pathToHeavy(files, target, seen)
    if (rest !== undefined) return `${file} → ${rest}`
  }
  return undefined
}

/** Composes the text of a planted file, so that the scanner does not take it for an import of this file. */
const importing = (...names: string[]) => names.map((name) => `import '${name}'`).join('\n')
const importingOnDemand = (name: string) => `await import('${name}')`
const reexporting = (name: string) => `export * from '${name}'`

/** Returns the lines at which a subquery that is read from begins, and has no name. */
function unnamedSubqueries(text: string): number[] {
  return [...text.matchAll(/\b(?:from|join|lateral) \((?=\s*(?:select|values|with|\$\{))/g)].flatMap((match) => {
    let depth = 1
    let end = match.index + match[0].length
    for (; depth > 0 && end < text.length; end++) depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0
    const isNamed = /^\s*(?:as\s+)?(?!(?:where|group|order|union|limit|join|on|left|cross|returning)\b)\w/.test(
      text.slice(end),
    )
    return isNamed ? [] : [text.slice(0, match.index).split('\n').length]
  })
}

export const rules: readonly Rule[] = [
  {
    name: 'names files in kebab-case',
    offenders: (files) =>
      offendingFiles(files, (file) => !/^[a-z0-9/-]+\.(tsx?|css)$/.test(file.replaceAll(/\.(long|test|d)(?=\.)/g, ''))),
    planted: { 'web/api/createClient.ts': '', 'web/api/create-client.test.ts': '' },
    reports: ['web/api/createClient.ts'],
  },
  {
    name: 'has no barrels',
    offenders: (files) =>
      offendingFiles(
        files,
        (file, text) => basename(file).startsWith('index.') || /^export (\*|\{[^}]*\}) from/m.test(text),
      ),
    planted: { 'web/ui/index.ts': '', 'web/ui/all.ts': reexporting('./button.tsx') },
    reports: ['web/ui/index.ts', 'web/ui/all.ts'],
  },
  {
    name: 'exports by name',
    offenders: (files) => offendingFiles(files, (_file, text) => /^export default/m.test(text)),
    planted: { 'web/ui/button.tsx': 'export default function Button() {}' },
    reports: ['web/ui/button.tsx'],
  },
  {
    name: 'crosses folders through the import map',
    offenders: (files) => offendingFiles(files, (_file, text) => /\b(from|import\(?)\s*'\.\.\/\.\.\//.test(text)),
    planted: { 'backend/modules/patients/routes.ts': importing('../../http/serve.ts') },
    reports: ['backend/modules/patients/routes.ts'],
  },
  {
    name: 'imports files that exist, by their full name',
    offenders: (files) =>
      offendingImports(
        files,
        (_file, target) => !isPackage(target) && !files.has(target) && (isProduct(target) || !existsSync(target)),
      ),
    planted: { 'contracts/patients.ts': importing('./values/ids'), 'contracts/values/ids.ts': '' },
    reports: ['contracts/patients.ts → contracts/values/ids'],
  },
  {
    name: 'puts every file into a layer',
    offenders: (files) => offendingFiles(files, (file) => isProduct(file) && !layerOf(file)),
    planted: { 'backend/helpers.ts': '', 'web/utils/sort.ts': '', 'backend/eventstore/event.ts': '' },
    reports: ['backend/helpers.ts', 'web/utils/sort.ts'],
  },
  {
    name: 'imports from one layer to the next in one direction',
    offenders: (files) => offendingImports(files, crossesLayers),
    planted: {
      'backend/eventstore/a.ts': importing('#jobs/b.ts', '#database/c.ts'),
      'contracts/a.ts': importing('#eventstore/a.ts'),
      'web/ui/a.tsx': importing('#web/features/patients/b.tsx'),
      'web/shell/a.tsx': importing('#web/features/patients/b.tsx'),
    },
    reports: [
      'backend/eventstore/a.ts → backend/jobs/b.ts',
      'contracts/a.ts → backend/eventstore/a.ts',
      'web/ui/a.tsx → web/features/patients/b.tsx',
    ],
  },
  {
    name: 'imports of another module its events and its public functions only',
    offenders: (files) =>
      offendingImports(
        files,
        (file, target) =>
          file.startsWith('backend/modules/') &&
          moduleOf(target) !== undefined &&
          moduleOf(target) !== moduleOf(file) &&
          !isPublicOfModule(target),
      ),
    planted: {
      'backend/modules/billing/routes.ts': importing('#modules/patients/queries.ts', '#modules/patients/events.ts'),
      'backend/modules/billing/jobs.ts': importing('#modules/patients/public.ts', '#modules/kit/follow-up.ts'),
      'backend/modules/kit/follow-up.ts': importing('#modules/patients/list.ts'),
    },
    reports: [
      'backend/modules/billing/routes.ts → backend/modules/patients/queries.ts',
      'backend/modules/kit/follow-up.ts → backend/modules/patients/list.ts',
    ],
  },
  {
    name: 'reads of the database only the tables of its own module',
    offenders: foreignTables,
    planted: {
      'backend/modules/patients/projection.ts': "projection({\n  name: 'charts',\n})",
      'backend/modules/fees/projection.ts': "projection({\n  name: 'invoices',\n})",
      'backend/modules/fees/queries.ts': 'select 1 from read.invoices join read.charts using (id)',
    },
    reports: ['fees → read.charts'],
  },
  {
    name: 'gives other modules no SQL over its tables',
    offenders: exportedSql,
    planted: {
      'backend/modules/fees/public.ts': [
        importing('./queries.ts'),
        'export const hasFeeSql = (id: string) => `exists (select from read.fees where id = ${id})`',
        'export const feeOf = queries.feeSql',
        'export const isPaid = (id: string): Fragment => queries.isPaid(id)',
        'export const openFees = (id: string) => sql.fragment`select 1 from read.fees where id = ${id}`',
        'export const countFees = (db: Db) => db.one(sql.type(Count)`select count(*) from read.fees`)',
        'export const inScope = (table: string) => sql.fragment`${table} and not sample`',
      ].join('\n'),
    },
    reports: ['hasFeeSql', 'feeOf', 'isPaid', 'openFees'].map((name) => `backend/modules/fees/public.ts: ${name}`),
  },
  {
    // A schema that is built inside a call is compiled again by every call.
    name: 'builds the schema of a row once',
    offenders: (files) => offendingFiles(files, (file, text) => isInBackend(file) && /sql\.type\([^)]*[.(]/.test(text)),
    planted: {
      'backend/modules/fees/queries.ts':
        'const all = (db: Db) => db.any(sql.type(z.object({ id: z.string() }))`select`)',
      'backend/modules/fees/public.ts': 'const all = (db: Db) => db.any(sql.type(Fee)`select`)',
    },
    reports: ['backend/modules/fees/queries.ts'],
  },
  {
    // PostgreSQL 15, which an installation may have, refuses it; the one of the tests does not.
    name: 'names each subquery that it reads from',
    offenders: (files) =>
      [...files].flatMap(([file, text]) =>
        isInBackend(file) ? unnamedSubqueries(text).map((line) => `${file}:${line}`) : [],
      ),
    planted: {
      'backend/modules/fees/queries.ts': [
        'const a = sql.fragment`select * from (select 1 as one) as named`',
        'const b = sql.fragment`select * from (select (1 + 1) as two) where true`',
        'const c = `select row from (${part(1)})`',
        'const d = `select extract(epoch from (until - since))`',
      ].join('\n'),
    },
    reports: ['backend/modules/fees/queries.ts:2', 'backend/modules/fees/queries.ts:3'],
  },
  {
    name: 'imports nothing of another feature',
    offenders: (files) =>
      offendingImports(
        files,
        (file, target) =>
          featureOf(file) !== undefined && featureOf(target) !== undefined && featureOf(target) !== featureOf(file),
      ),
    planted: { 'web/features/billing/a.tsx': importing('#web/features/patients/b.tsx', './c.tsx') },
    reports: ['web/features/billing/a.tsx → web/features/patients/b.tsx'],
  },
  {
    name: 'keeps stored events apart from the API',
    offenders: (files) =>
      offendingImports(files, (file, target) => file.endsWith('/events.ts') && /^contracts\/[^/]+$/.test(target)),
    planted: {
      'backend/modules/patients/events.ts': importing('#contracts/patients.ts', '#contracts/values/ids.ts'),
    },
    reports: ['backend/modules/patients/events.ts → contracts/patients.ts'],
  },
  {
    name: 'decides and folds from pure imports',
    offenders: (files) => offendingImports(files, (file, target) => pure.test(file) && !isPureTarget(files, target)),
    planted: {
      'backend/modules/patients/decider.ts': importing('pg', './names.ts', './lookup.ts'),
      'backend/modules/patients/names.ts': importing('zod'),
      'backend/modules/patients/lookup.ts': importing('./queries.ts'),
      'backend/modules/patients/queries.ts': importing('slonik'),
    },
    reports: [
      'backend/modules/patients/decider.ts → npm:pg',
      'backend/modules/patients/decider.ts → backend/modules/patients/lookup.ts',
    ],
  },
  {
    name: 'decides and folds without a clock and without chance',
    offenders: (files) => offendingFiles(files, (file, text) => pure.test(file) && impureCalls.test(text)),
    planted: { 'backend/modules/patients/decider.ts': 'const at = Date.now()', 'backend/jobs/a.ts': 'Date.now()' },
    reports: ['backend/modules/patients/decider.ts'],
  },
  {
    name: 'has no import cycles',
    offenders: cycles,
    planted: {
      'backend/jobs/a.ts': importing('./b.ts'),
      'backend/jobs/b.ts': importing('./c.ts'),
      'backend/jobs/c.ts': importing('./a.ts'),
    },
    reports: ['backend/jobs/a.ts → backend/jobs/b.ts → backend/jobs/c.ts → backend/jobs/a.ts'],
  },
  {
    name: 'specifies every decider and process manager in a test file of the same name',
    offenders: (files) =>
      offendingFiles(
        files,
        (file) =>
          /^backend\/(modules|stand-ins)\/.+\/(decider|process-manager)\.ts$/.test(file) &&
          !files.has(file.replace('backend/', 'tests/').replace('.ts', '.test.ts')),
      ),
    planted: {
      'backend/modules/patients/decider.ts': '',
      'backend/modules/billing/decider.ts': '',
      'tests/modules/billing/decider.test.ts': '',
    },
    reports: ['backend/modules/patients/decider.ts'],
  },
  {
    name: 'loads stand-ins of vendors only on demand',
    offenders: (files) =>
      [...files].flatMap(([file, text]) =>
        isInBackend(file) && !isStandIn(file)
          ? importsOf(file, text.replaceAll(/\bimport\(/g, ''))
              .filter(isStandIn)
              .map((target) => `${file} → ${target}`)
          : [],
      ),
    planted: {
      'backend/main/a.ts': importing('#stand-ins/bank/module.ts'),
      'backend/main/b.ts': importingOnDemand('#stand-ins/bank/module.ts'),
      'backend/stand-ins/bank/module.ts': importing('./decider.ts'),
      'backend/stand-ins/bank/decider.ts': '',
    },
    reports: ['backend/main/a.ts → backend/stand-ins/bank/module.ts'],
  },
  {
    name: 'lets contracts import no package but zod',
    offenders: (files) =>
      offendingImports(
        files,
        (file, target) => file.startsWith('contracts/') && isPackage(target) && target !== 'npm:zod',
      ),
    planted: { 'contracts/patients.ts': importing('zod', 'date-fns/addDays') },
    reports: ['contracts/patients.ts → npm:date-fns/addDays'],
  },
  {
    // V8 reads keys that need an escape as the keys of another object, see tests/contracts/json-keys.test.ts.
    name: 'makes no text that a user chose the key of a JSON object',
    offenders: (files) =>
      offendingFiles(
        files,
        (file, text) =>
          (file.startsWith('contracts/') || /^backend\/.+\/events\.ts$/.test(file)) &&
          /z\s*\.\w*[rR]ecord\(\s*[^A-Z\s]/.test(withoutComments(text)),
      ),
    planted: {
      'contracts/a.ts': 'z.record(z.string(), z.number())',
      'contracts/b.ts': 'z.partialRecord(Weekday, z.number())',
      'backend/modules/forms/events.ts': 'z.record(\n  z.string(), z.number())',
    },
    reports: ['contracts/a.ts', 'backend/modules/forms/events.ts'],
  },
  {
    // All three hundred functions add about a second to every start, also to the one after a crash.
    name: 'loads single functions of date-fns in the backend',
    offenders: (files) => offendingImports(files, (file, target) => isInBackend(file) && target === 'npm:date-fns'),
    planted: { 'backend/jobs/a.ts': importing('date-fns', 'date-fns/addDays') },
    reports: ['backend/jobs/a.ts → npm:date-fns'],
  },
  {
    name: 'runs unit tests without database, process or browser',
    offenders: (files) => [...files.keys()].filter(isUnitTest).flatMap((file) => pathToHeavy(files, file) ?? []),
    planted: {
      'tests/modules/patients/decider.test.ts': importing('#tests/support/decider-spec.ts'),
      'tests/support/decider-spec.ts': importing('#tests/support/test-database.ts'),
      'tests/modules/patients/routes.test.ts': importing('#tests/support/test-database.ts'),
    },
    reports: [
      'tests/modules/patients/decider.test.ts → tests/support/decider-spec.ts → tests/support/test-database.ts',
    ],
  },
]
