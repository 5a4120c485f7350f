import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { type Installation, runCli, withDatabase, withOpenStores } from './run-tool.ts'
import { readConfig } from '#main/config.ts'
import { createModuleEventVersions, listEventSchemas } from '#main/event-versions.ts'
import { redactedStore } from '#encryption/encrypted-store.ts'
import { upcastingStore } from '#eventstore/upcasting.ts'
import { erasePatient } from '#modules/erasures/erase-patient.ts'
import {
  loadKeys,
  type InstallationKeys,
  prepareNextMasterKey,
  promoteNextMasterKey,
} from '#encryption/installation-keys.ts'
import { rotateMasterKey } from '#encryption/key-rotation.ts'
import { modules } from '#main/modules.ts'
import { PatientId } from '#contracts/values/ids.ts'
import { computeFingerprint, type Key, parseKey } from '#encryption/cipher.ts'
import { createCommandBus } from '#eventstore/command-bus.ts'
import { ensureMasterKey } from '#encryption/postgres-key-store.ts'
import { createProjectionRunner } from '#projections/runner/runner.ts'
import { formatCount, UsageError, formatTable, type Terminal } from './terminal.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { StartError } from '#runtime/start-error.ts'

const help = `npm run keys                     which master key is in use, how many data keys there are, which were destroyed
npm run keys -- list <id>        the data key of one patient or import
npm run keys -- rotate           wraps every data key and the hash key with a new master key; none of them changes.
                                 Stop Everchart first. Where MASTER_KEY is set, give the new one with --to or in
                                 MASTER_KEY_NEXT, and set MASTER_KEY to it afterwards. Where the master key is kept in
                                 DATA_DIR, a new one is made there; the old one stays beside it, for old backups.
npm run keys -- destroy <patient> --why "<reason>"
                                 makes unreadable for ever what is known of a patient: takes the patient out of the
                                 lists, then destroys the key and every copy of what it had sealed. Recorded with who
                                 and why, so name no patient in the reason. There is no way back; a broken-off call
                                 is finished by the next one

  --to <file>   rotate: a file with the new master key, 32 bytes as base64 or hex
  --yes         destroy: does not ask
  --json        list: prints JSON
  --help        prints this

list and destroy work beside a running Everchart and without one. Exit codes: 0 done, 1 not done, 2 misused.
`

const helpHint = 'npm run keys -- --help tells more'

type ParsedArguments =
  | { does: 'help' }
  | { does: 'list'; subject: string | undefined; json: boolean }
  | { does: 'rotate'; to: string | undefined }
  | { does: 'destroy'; patientId: PatientId; why: string; yes: boolean }

const flag = { type: 'boolean', default: false } as const

function parseCommandLine(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        to: { type: 'string' },
        why: { type: 'string' },
        yes: flag,
        json: flag,
        help: { ...flag, short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(/\.? To specify|\n/)[0]}: ${helpHint}`)
  }
}

const allowedFlags: Record<string, readonly string[]> = { list: ['json'], rotate: ['to'], destroy: ['why', 'yes'] }

function readArguments(words: readonly string[]): ParsedArguments {
  const { values, positionals } = parseCommandLine(words)
  const { help: wantsHelp, ...flags } = values
  if (wantsHelp) return { does: 'help' }
  const [does = 'list', id, ...more] = positionals
  const own = Object.hasOwn(allowedFlags, does) ? allowedFlags[does] : undefined
  if (!own) throw new UsageError(`There is no command ${does}: ${helpHint}`)
  const foreign = Object.entries(flags).find(([name, value]) => value && !own.includes(name))
  if (foreign) throw new UsageError(`${does} knows no --${foreign[0]}: ${helpHint}`)
  if (more.length > 0 || (does === 'rotate' && id !== undefined)) throw new UsageError(`Too many words: ${helpHint}`)
  if (does === 'list') return { does, subject: id, json: flags.json }
  if (does === 'rotate') return { does, to: flags.to }
  const patientId = PatientId.safeParse(id)
  if (!patientId.success)
    throw new UsageError('destroy takes the id of a patient, as it stands in the address of the screen')
  if (!flags.why?.trim()) throw new UsageError('destroy needs --why: it is recorded')
  return { does: 'destroy', patientId: patientId.data, why: flags.why.trim(), yes: flags.yes }
}

type KeyRow = { subject: string; master: string; created_at: Date; destroyed_at: Date | null }

async function runList(
  { config, pool }: Installation,
  { subject, json }: { subject?: string | undefined; json: boolean },
  { out }: Terminal,
) {
  const { masterKey } = await loadKeys(pool, config)
  const { rows } = await pool.query<KeyRow>(
    `select subject, master, created_at, destroyed_at from app.data_keys
     where case when $1::text is null then destroyed_at is not null else subject = $1 end order by subject`,
    [subject ?? null],
  )
  const keys = rows.map((row) => ({
    subject: row.subject,
    master: row.master,
    created: row.created_at.toISOString(),
    destroyed: row.destroyed_at?.toISOString() ?? null,
  }))
  if (subject !== undefined) {
    const [key] = keys
    if (!key) throw new OperationRefused(`There is no data key of ${subject}`)
    if (json) out(JSON.stringify(key, null, 2))
    else Object.entries(key).forEach(([name, value]) => out(`${name.padEnd(9)}  ${value ?? '-'}`))
    return 0
  }
  const inUse = await pool.query<{ keys: number }>('select count(wrapped)::int as keys from app.data_keys')
  const listed = { masterKey: computeFingerprint(masterKey), keys: inUse.rows[0]?.keys ?? 0, destroyed: keys }
  if (json) out(JSON.stringify(listed, null, 2))
  else {
    out(`master key  ${listed.masterKey} (its fingerprint)`)
    out(`data keys   ${listed.keys.toLocaleString('en-US')}`)
    out(`destroyed   ${keys.length.toLocaleString('en-US')}`)
    if (keys.length > 0)
      formatTable(
        ['', 'since'],
        keys.map((key) => [key.subject, key.destroyed ?? '']),
      )
        .slice(1)
        .forEach(out)
  }
  return 0
}

/** The new master key that was given, by file or by environment. */
async function readNewKey(to: string | undefined): Promise<Key | undefined> {
  const variable = process.env['MASTER_KEY_NEXT']?.trim() || undefined
  if (to !== undefined && variable !== undefined)
    throw new UsageError('Give the new key with --to or in MASTER_KEY_NEXT, not both')
  if (to === undefined && variable === undefined) return undefined
  const text = to === undefined ? variable : await readFile(to, 'utf8').catch(() => undefined)
  if (text === undefined) throw new UsageError(`The file ${to} cannot be read`)
  const key = parseKey(text.trim())
  if (!key) throw new UsageError(`${to ?? 'MASTER_KEY_NEXT'} must hold 32 bytes as base64 or as 64 hexadecimal digits`)
  return key
}

/** The new master key for an exchange, as far as it was given; before anything is started. */
async function resolveNewKey({ to }: { to: string | undefined }): Promise<Key | undefined> {
  const given = await readNewKey(to)
  const { masterKey } = readConfig(process.env)
  if (masterKey && !given)
    throw new UsageError('MASTER_KEY is set: give the new key with --to <file> or in MASTER_KEY_NEXT')
  if (masterKey && given?.equals(masterKey)) throw new UsageError('The new master key is the one that is in use')
  return given
}

async function runRotate(
  { config, pool }: Installation,
  given: Key | undefined,
  { out, bar, signal }: Terminal,
): Promise<number> {
  const isSet = config.masterKey !== undefined
  let held: InstallationKeys
  try {
    held = await loadKeys(pool, config)
  } catch (error) {
    if (!(error instanceof StartError) || !given || !(await ensureMasterKey(pool, given))) throw error
    out('Every key is wrapped by the new master key already: set MASTER_KEY to it')
    return 0
  }
  const from = held.masterKey
  const next = async () => (isSet && given ? given : await prepareNextMasterKey(config.dataDir, given))
  const onProgress = (done: number, total: number) => bar?.(`wrapping  ${done} of ${formatCount(total, 'data key')}`)
  const wrapped = await rotateMasterKey(pool, from, next, { signal, onProgress }).finally(() => bar?.(null))
  out(
    `${formatCount(wrapped, 'data key')} and the hash key are wrapped by the master key ${computeFingerprint(await next())}`,
  )
  if (isSet) out('Now set MASTER_KEY to the new key, for every copy, and start Everchart')
  else out(`The old one is in ${await promoteNextMasterKey(config.dataDir, from)}: backups made with it need it`)
  return 0
}

async function runDestroy(
  reached: Installation,
  asked: Extract<ParsedArguments, { does: 'destroy' }>,
  terminal: Terminal,
): Promise<number> {
  const { patientId, why, yes } = asked
  return await withOpenStores(reached, async (opened) => {
    const question = `Nobody will ever read again what is known of the patient ${patientId}. There is no way back. Go on?`
    if (!yes && !terminal.ask) throw new OperationRefused('There is nobody to ask: call it with --yes')
    if (!yes && !(await terminal.ask?.(question))) throw new OperationRefused('Nothing was changed')
    const { store, pool } = opened
    const projections = modules.flatMap((module) => module.projections ?? [])
    const feed = createProjectionRunner({
      store,
      pool,
      projections,
      logger: pino({ level: 'silent' }),
      signal: terminal.signal,
    })
    await feed.start()
    try {
      const bus = createCommandBus({ store, clock: () => new Date(), waitUntilCaughtUp: feed.waitUntilCaughtUp })
      const parts = {
        ...opened,
        redactedStore: upcastingStore(redactedStore(opened.rawStore), createModuleEventVersions(modules)),
        schemas: listEventSchemas(modules),
        projections,
        bus,
        correlationId: randomUUID(),
      }
      const since = await erasePatient(parts, patientId, { requestedBy: terminal.account, reason: why })
      terminal.out(`The key of ${patientId} is destroyed, since ${since.toISOString()}`)
      terminal.out('Backups made before still hold it: see docs/operations/encryption-keys.md')
    } finally {
      await feed.stop()
    }
    return 0
  })
}

await runCli(async (words, terminal) => {
  try {
    const asked = readArguments(words)
    if (asked.does === 'help') {
      help.trimEnd().split('\n').forEach(terminal.out)
      return 0
    }
    const given = asked.does === 'rotate' ? await resolveNewKey(asked) : undefined
    return await withDatabase(terminal, (reached) => {
      if (asked.does === 'list') return runList(reached, asked, terminal)
      return asked.does === 'rotate' ? runRotate(reached, given, terminal) : runDestroy(reached, asked, terminal)
    })
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof OperationRefused)) throw error
    terminal.err(error.message)
    return error instanceof UsageError ? 2 : 1
  }
})
