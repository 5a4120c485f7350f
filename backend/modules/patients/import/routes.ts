import { Router } from '@koa/router'
import {
  getImport,
  type ImportPreview,
  type ImportRequest,
  listImports,
  previewImport,
  resumeImport,
  startImport,
  undoImport,
} from '#contracts/patient-import.ts'
import type { ImportId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { isRepeatedRequest } from '#eventstore/request-scope.ts'
import { invalidRequest, notFound, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { requireProvenEmail } from '#modules/kit/require-proof.ts'
import { requirePlanCapacity, findPlanCapacity } from '#modules/patients/plan-limit.ts'
import { findPracticeLocale } from '#modules/patients/practice-locale.ts'
import { UnreadableFile } from './csv.ts'
import { importDecider } from './decider.ts'
import { type FileInspection, inspectFile } from './inspect-file.ts'
import { type ClassifiedRow, classifyRows } from './classify-rows.ts'
import { chooseColumns, requireNames } from './mapping.ts'
import { findImport, storeImportFile, findExistingKeys, findRecentImports } from './queries.ts'

const shownRows = 20
const shownExceptions = 200
/** The number of rows that are classified with one query. */
const previewChunk = 1_000

/** The HTTP endpoints for the preview, start, status and undo of imports. */
export function importRoutes(services: Services): Router {
  const router = new Router()

  serve(router, previewImport, async ({ body, caller }) => {
    const inspection = await withFileErrors(() => inspect(body, caller))
    return preview(services, body, caller, inspection)
  })

  serve(router, startImport, async ({ body, caller }, { commandContext: context }) => {
    // One file may hold more than an unconfirmed practice may save in a day.
    if (caller.subscriptionStatus === 'demo') requireProvenEmail(caller, 'import patients')
    const inspection = await withFileErrors(() => inspect(body, caller))
    requireNames(inspection.columns)
    const { dateFormat, total } = inspection
    if (dateFormat === null)
      throw invalidRequest([{ path: 'dateFormat', message: 'Please say whether the month or the day comes first' }])
    const importId = services.newId('import') as ImportId
    const isRequested = async () => (await services.bus.load(importDecider, importId)).history.length > 0
    if (isRepeatedRequest() && (await isRequested())) return { importId }
    const { practiceId } = caller
    const capacity = await findPlanCapacity(services.db, practiceId)
    if (capacity) requirePlanCapacity(capacity)
    if ((await storeImportFile(services, importId, practiceId, body.csv)) === 'too-many') throw tooMany()
    const columns = inspection.columns.map(({ field }) => field)
    const leftOutColumns = inspection.columns.flatMap(({ heading, field }) => (field === null ? heading : []))
    const { includeDuplicates, restorePostalCodes, addedRows } = body
    const options = { dateFormat, includeDuplicates, restorePostalCodes, addedRows }
    const request = { type: 'Request', importId, practiceId, total, columns, leftOutColumns, ...options } as const
    await services.bus.execute(importDecider, importId, request, context)
    return { importId }
  })

  serve(router, listImports, async ({ caller }) => [...(await findRecentImports(services.db, caller.practiceId))])

  serve(router, getImport, async ({ params, caller }) => {
    const found = await findImport(services, caller.practiceId, params.importId)
    if (!found) throw notFound('import')
    return found
  })

  serve(router, undoImport, ({ params, caller }, { commandContext: context }) =>
    requestOperation(params.importId, caller, 'RequestUndo', context),
  )

  serve(router, resumeImport, ({ params, caller }, { commandContext: context }) =>
    requestOperation(params.importId, caller, 'Resume', context),
  )

  async function requestOperation(
    importId: ImportId,
    caller: Member,
    type: 'RequestUndo' | 'Resume',
    context: CommandContext,
  ) {
    const loaded = await services.bus.load(importDecider, importId)
    const { state } = loaded
    if (state.state === 'none' || state.practiceId !== caller.practiceId) throw notFound('import')
    await services.bus.execute(importDecider, importId, { type }, context, { loaded })
    return { importId }
  }

  return router
}

const inspect = ({ csv, mapping, dateFormat }: ImportRequest, caller: Member) =>
  inspectFile(csv, (recognized) => chooseColumns(recognized, mapping, caller), dateFormat)

async function withFileErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    if (error.code === 'too-large')
      throw new ProblemError(413, 'too-large', error.message, { errors: [{ path: 'csv', message: error.message }] })
    throw invalidRequest([{ path: 'csv', message: error.message }])
  }
}

async function preview(
  { db, pool, clock }: Services,
  { csv, includeDuplicates, restorePostalCodes, addedRows }: ImportRequest,
  { practiceId }: Member,
  { columns, dateFormat, ambiguousDates, shortPostalCodes, total }: FileInspection,
): Promise<ImportPreview> {
  const { today, country } = await findPracticeLocale(db, practiceId, clock())
  const counts = { new: 0, duplicate: 0, question: 0, invalid: 0 }
  const rows: ClassifiedRow[] = []
  const exceptions: ClassifiedRow[] = []
  const chunks = classifyRows(csv, {
    columns: columns.map(({ field }) => field),
    dateFormat,
    today,
    country,
    includeDuplicates,
    restorePostalCodes,
    addedRows: new Set(addedRows),
    after: 0,
    chunk: previewChunk,
    findExisting: (keys) => findExistingKeys(pool, practiceId, null, keys),
  })
  for await (const chunk of chunks)
    for (const row of chunk) {
      counts[row.status]++
      if (rows.length < shownRows) rows.push(row)
      // Of each kind, so that every question can be answered however many duplicates the file has.
      if (row.status !== 'new' && counts[row.status] <= shownExceptions) exceptions.push(row)
    }
  const remainingPatients = (await findPlanCapacity(db, practiceId))?.remaining ?? null
  const inspected = { columns, dateFormat, ambiguousDates, shortPostalCodes, total }
  return { ...inspected, ...counts, remainingPatients, rows, exceptions }
}

const tooMany = () =>
  new ProblemError(409, 'too-many-imports', 'Several imports are in progress. Please wait until one of them is done.')
