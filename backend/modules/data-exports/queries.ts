import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { DataExport } from '#contracts/data-exports.ts'
import { UserId } from '#contracts/values/ids.ts'
import { findUserNames } from '#modules/accounts/public.ts'

const Row = DataExport.omit({ lastDownload: true }).extend({
  requestedBy: UserId,
  downloadedBy: UserId.nullable(),
  downloadedAt: z.string().nullable(),
})

/** The number of exports that the list shows. */
const maxListed = 5

/** Finds the last exports of a practice, newest first. One whose time is over is expired, also before that is recorded. */
export async function findDataExports(db: CommonQueryMethods, practiceId: string, now: Date): Promise<DataExport[]> {
  const rows = await db.any(sql.type(Row)`
    select id, case when state = 'ready' and expires_at <= ${now.toISOString()} then 'expired' else state end as state,
      requested_by as "requestedBy", requested_at as "requestedAt", expires_at as "expiresAt", bytes, counts,
      failure, is_replaced as "isReplaced",
      downloaded_by as "downloadedBy", downloaded_at as "downloadedAt"
    from read.data_exports where practice_id = ${practiceId} order by requested_at desc, id limit ${maxListed}`)
  const userIds = rows.flatMap(({ requestedBy, downloadedBy }) => [
    requestedBy,
    ...(downloadedBy ? [downloadedBy] : []),
  ])
  const names = await findUserNames(db, [...new Set(userIds)])
  return rows.map(({ downloadedBy, downloadedAt, requestedBy, ...row }) => ({
    ...row,
    requestedBy: names.get(requestedBy) ?? null,
    lastDownload: downloadedAt === null ? null : { at: downloadedAt, by: names.get(downloadedBy ?? '') ?? null },
  }))
}
