import { Readable } from 'node:stream'
import { Router } from '@koa/router'
import {
  downloadDataExport,
  listDataExports,
  maxDownloadsPerHour,
  requestDataExport,
  retryDataExport,
} from '#contracts/data-exports.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { DataExportId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { isRejection } from '#eventstore/decider.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import { createRateLimiter, hourly, type Limit } from '#http/rate-limiter.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { openArchive } from './archive.ts'
import { type DataExportCommand, dataExportsDecider, findExport } from './decider.ts'
import { findDataExports } from './queries.ts'

/** Exports that one practice requests: each reads all of its records. */
const exportsPerPractice: Limit = {
  purpose: 'data export',
  maxAttempts: 10,
  ...hourly,
  code: 'too-many-attempts',
  message: 'Too many exports.',
}

/** Downloads of one practice: each decrypts and sends the whole archive. */
const downloadsPerPractice: Limit = {
  purpose: 'data export download',
  maxAttempts: maxDownloadsPerHour,
  ...hourly,
  code: 'too-many-attempts',
  message: 'Too many downloads.',
}

/** The endpoints for exports of all data of a practice. */
export function dataExportRoutes(services: Services): Router {
  const { bus, db, relaxedPool, clock, keyedHash, newId } = services
  const router = new Router()
  const createUnavailable = () =>
    new ProblemError(503, 'unavailable', 'An export is not possible right now. Please try again soon.')
  const rateLimiter = createRateLimiter({ pool: relaxedPool, clock, keyedHash, createUnavailable })

  /** Runs something that counts towards a limit of the practice. What the state of the export refuses does not count. */
  async function withinLimit<Result>(limit: Limit, practiceId: string, run: () => Promise<Result>): Promise<Result> {
    const attempts = [{ limit, value: practiceId }]
    await rateLimiter.consume(attempts)
    try {
      return await run()
    } catch (error) {
      if (error instanceof CommandRejected || (error instanceof ProblemError && error.status < 500))
        await rateLimiter.refund(attempts)
      throw error
    }
  }

  /** Throws 429 when a limit of the practice is exhausted, and counts nothing. */
  async function checkLimit(limit: Limit, practiceId: string): Promise<void> {
    const attempts = [{ limit, value: practiceId }]
    await rateLimiter.consume(attempts)
    await rateLimiter.refund(attempts)
  }

  const toProblem = (error: unknown) =>
    error instanceof CommandRejected && error.rejection.rejected === 'unknown-export' ? notFound('export') : error

  /** Executes a command. Throws 404 for an unknown export and one of another practice, 409 when its state refuses it. */
  const execute = (command: DataExportCommand, context: CommandContext) =>
    bus.execute(dataExportsDecider, command.practiceId, command, context).catch((error: unknown) => {
      throw toProblem(error)
    })

  serve(router, listDataExports, ({ caller: { practiceId } }) => findDataExports(db, practiceId, clock()))

  serve(router, requestDataExport, async ({ caller: { practiceId, userId } }, { commandContext }) => {
    const exportId = DataExportId.parse(newId('data export'))
    const { state } = await bus.load(dataExportsDecider, practiceId)
    // A repeated request finds its own export, and is not counted again.
    if (!findExport(state, exportId))
      await withinLimit(exportsPerPractice, practiceId, () =>
        execute({ type: 'Request', exportId, practiceId, requestedBy: userId }, commandContext),
      )
    return { exportId }
  })

  serve(
    router,
    retryDataExport,
    async ({ caller: { practiceId, userId }, params: { exportId } }, { commandContext }) => {
      await execute({ type: 'Retry', exportId, practiceId, requestedBy: userId }, commandContext)
      return { exportId }
    },
  )

  serve(
    router,
    downloadDataExport,
    async ({ caller: { practiceId, userId }, params: { exportId } }, { commandContext, setHeader, isHead }) => {
      const { state } = await bus.load(dataExportsDecider, practiceId)
      const file = findExport(state, exportId)?.file
      // Opened first, so that the record names no download of a file that is gone.
      const archive = file ? await openArchive(services, { exportId, fileId: file.fileId }) : null
      if (file && !archive)
        throw new ProblemError(409, 'export-expired', 'The file of this export is gone. Please request a new one.')
      const now = clock().toISOString()
      const fileId = file?.fileId ?? null
      const command = { type: 'RecordDownload', exportId, practiceId, userId, fileId, now } as const
      const decision = dataExportsDecider.decide(command, state)
      if (isRejection(decision)) throw toProblem(new CommandRejected(decision))
      if (isHead) await checkLimit(downloadsPerPractice, practiceId)
      else await withinLimit(downloadsPerPractice, practiceId, () => execute(command, commandContext))
      if (!file || !archive) throw notFound('export')
      const day = toLocalDate(now, await findTimeZone(db, practiceId))
      setHeader('Content-Disposition', `attachment; filename="everchart-export-${day}.zip"`)
      setHeader('Content-Length', String(file.bytes))
      return Readable.from(isHead ? [] : archive, { objectMode: false })
    },
  )

  return router
}
