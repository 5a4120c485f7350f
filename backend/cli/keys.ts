import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { type Installation, runCli, withDatabase, withOpenStores } from './run-tool.ts'
import { readConfig } from '#main/config.ts'
import { redactEventStore } from '#main/decorate-event-store.ts'
import { listEventSchemas } from '#main/event-versions.ts'
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
import { ensureMasterKey } from '#encryption/data-keys.ts'
import { createProjectionRunner } from '#projections/runner/runner.ts'
import { createCommandLine } from './command-line.ts'
import { formatCount, UsageError, formatTable, type Terminal } from './terminal.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { StartError } from '#runtime/start-error.ts'

const about = `
list and destroy work while Everchart is running or stopped. Exit codes: 0 success, 1 failure, 2 invalid usage.`

const aboutRotation = `
Re-encrypts the data keys; the keys themselves stay the same. Stop Everchart first. If MASTER_KEY is set, pass the new key with
--to or in MASTER_KEY_NEXT, and set MASTER_KEY to it afterwards. If the master key is stored in DATA_DIR, a new one is created
in that folder; the old one is kept for older backups.`

const aboutDestruction = `
Removes the patient from all lists, then destroys the data key and every copy of the data it encrypts. This cannot be undone. If
interrupted, run it again to complete it.`

/** Runs `npm run keys`. Returns the exit code. The database is opened only for a valid command line. */
async function runKeysCli(words: readonly string[], terminal: Terminal): Promise<number> {
  const { program, handle, run } = createCommandLine('keys', terminal)
  program.description('Lists, rotates and destroys encryption keys.').addHelpText('after', about)

  program
    .command('list', { isDefault: true })
    .description('print the master key in use, the number of data keys and the destroyed ones, or one data key')
    .argument('[id]', 'a patient or an import')
    .option('--json', 'print JSON', false)
    .action(
      handle((subject: string | undefined, { json }: { json: boolean }) =>
        withDatabase(terminal, (installation) => printKeys(installation, subject, json, terminal)),
      ),
    )

  program
    .command('rotate')
    .description('encrypt every data key and the hash key with a new master key')
    .option('--to <file>', 'a file with the new master key: 32 bytes as base64 or hex')
    .addHelpText('after', aboutRotation)
    .action(
      handle(async ({ to }: { to?: string }) => {
        const newKey = await resolveNewKey(to)
        return await withDatabase(terminal, (installation) => rotateKeys(installation, newKey, terminal))
      }),
    )

  program
    .command('destroy')
    .description('make all data of a patient permanently unreadable')
    .argument('<patient>', 'the id of the patient, as in the address of the screen')
    .requiredOption('--why <reason>', 'recorded with your account name, so identify no patient in it')
    .option('--yes', 'do not ask', false)
    .addHelpText('after', aboutDestruction)
    .action(
      handle((id: string, { why, yes }: { why: string; yes: boolean }) => {
        const patientId = PatientId.safeParse(id)
        if (!patientId.success)
          throw new UsageError('destroy takes the id of a patient, as in the address of the screen')
        if (!why.trim()) throw new UsageError('destroy needs a reason (--why): it is recorded')
        const request = { patientId: patientId.data, why: why.trim(), isConfirmed: yes }
        return withDatabase(terminal, (installation) => destroyKey(installation, request, terminal))
      }),
    )

  return await run(words)
}

type KeyRow = { subject: string; master: string; created_at: Date; destroyed_at: Date | null }

async function printKeys(
  { config, pool }: Installation,
  subject: string | undefined,
  asJson: boolean,
  { out }: Terminal,
): Promise<number> {
  const { masterKey } = await loadKeys(pool, config)
  const { rows } = await pool.query<KeyRow>(
    `select subject, master_fingerprint as master, created_at, destroyed_at from app.data_keys
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
    if (!key) throw new OperationRefused(`There is no data key for ${subject}`)
    if (asJson) out(JSON.stringify(key, null, 2))
    else Object.entries(key).forEach(([name, value]) => out(`${name.padEnd(9)}  ${value ?? '-'}`))
    return 0
  }
  const inUse = await pool.query<{ keys: number }>('select count(wrapped_key)::int as keys from app.data_keys')
  const listed = { masterKey: computeFingerprint(masterKey), keys: inUse.rows[0]?.keys ?? 0, destroyed: keys }
  if (asJson) out(JSON.stringify(listed, null, 2))
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

/** Returns the new master key from a file or from MASTER_KEY_NEXT; undefined when neither is given. */
async function readNewKey(to: string | undefined): Promise<Key | undefined> {
  const variable = process.env['MASTER_KEY_NEXT']?.trim() || undefined
  if (to !== undefined && variable !== undefined)
    throw new UsageError('Pass the new key with --to or in MASTER_KEY_NEXT, not both')
  if (to === undefined && variable === undefined) return undefined
  const text = to === undefined ? variable : await readFile(to, 'utf8').catch(() => undefined)
  if (text === undefined) throw new UsageError(`The file ${to} cannot be read`)
  const key = parseKey(text.trim())
  if (!key) throw new UsageError(`${to ?? 'MASTER_KEY_NEXT'} must hold 32 bytes as base64 or as 64 hexadecimal digits`)
  return key
}

/** Returns the new master key, if one is given; checks it before the database is opened. Throws UsageError. */
async function resolveNewKey(to: string | undefined): Promise<Key | undefined> {
  const newKey = await readNewKey(to)
  const { masterKey } = readConfig(process.env)
  if (masterKey && !newKey)
    throw new UsageError('MASTER_KEY is set: pass the new key with --to <file> or in MASTER_KEY_NEXT')
  if (masterKey && newKey?.equals(masterKey)) throw new UsageError('The new master key is the one already in use')
  return newKey
}

async function rotateKeys(
  { config, pool }: Installation,
  newKey: Key | undefined,
  { out, bar, signal }: Terminal,
): Promise<number> {
  const isSet = config.masterKey !== undefined
  let current: InstallationKeys
  try {
    current = await loadKeys(pool, config)
  } catch (error) {
    if (!(error instanceof StartError) || !newKey || !(await ensureMasterKey(pool, newKey))) throw error
    out('Every key is already encrypted with the new master key: set MASTER_KEY to it')
    return 0
  }
  const oldKey = current.masterKey
  const resolveNext = async () => (isSet && newKey ? newKey : await prepareNextMasterKey(config.dataDir, newKey))
  const onProgress = (done: number, total: number) => bar?.(`encrypting  ${done} of ${formatCount(total, 'data key')}`)
  const count = await rotateMasterKey(pool, oldKey, resolveNext, { signal, onProgress }).finally(() => bar?.(null))
  const fingerprint = computeFingerprint(await resolveNext())
  out(`${formatCount(count, 'data key')} and the hash key are encrypted with the master key ${fingerprint}`)
  if (isSet) out('Now set MASTER_KEY to the new key, for every instance, and start Everchart')
  else out(`The old one is in ${await promoteNextMasterKey(config.dataDir, oldKey)}: older backups need it`)
  return 0
}

async function destroyKey(
  installation: Installation,
  { patientId, why, isConfirmed }: { patientId: PatientId; why: string; isConfirmed: boolean },
  terminal: Terminal,
): Promise<number> {
  return await withOpenStores(installation, async (opened) => {
    const question = `All data of patient ${patientId} becomes permanently unreadable. This cannot be undone. Continue?`
    if (!isConfirmed && !terminal.ask) throw new OperationRefused('Cannot ask for confirmation here: pass --yes')
    if (!isConfirmed && !(await terminal.ask?.(question))) throw new OperationRefused('Nothing was changed')
    const { store, keyStore, pool } = opened
    const projections = modules.flatMap((module) => module.projections ?? [])
    const logger = pino({ level: 'silent' })
    const runner = createProjectionRunner({ store, keyStore, pool, projections, logger, signal: terminal.signal })
    await runner.start()
    try {
      const bus = createCommandBus({ store, clock: () => new Date(), waitUntilCaughtUp: runner.waitUntilCaughtUp })
      const parts = {
        ...opened,
        redactedStore: redactEventStore(opened.rawStore, modules),
        schemas: listEventSchemas(modules),
        projections,
        bus,
        correlationId: randomUUID(),
      }
      const since = await erasePatient(parts, patientId, { requestedBy: terminal.account, reason: why })
      terminal.out(`The key of ${patientId} is destroyed, since ${since.toISOString()}`)
      terminal.out('Older backups still contain it: see docs/operations/encryption-keys.md')
    } finally {
      await runner.stop()
    }
    return 0
  })
}

await runCli(runKeysCli)
