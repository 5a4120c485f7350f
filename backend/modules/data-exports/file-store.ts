import type { Pool } from 'pg'
import { decrypt, encrypt, type Key } from '#encryption/cipher.ts'
import type { Migration } from '#database/migrations.ts'
import type { Services } from '#modules/module.ts'

/**
 * The files of exports in pieces: compressed, and encrypted with a data key of the export. Every attempt writes a file of its
 * own, so that two attempts at the same time cannot mix their pieces.
 */
export const dataExportsMigration: Migration = {
  id: 'data-exports-001-chunks',
  sql: `create table app.data_export_chunks (
          export_id uuid not null,
          file_id uuid not null,
          -- The number of the entry in the archive, from 1; 0 is the list of entries.
          entry int not null,
          number int not null,
          content bytea not null,
          created_at timestamptz not null default now(),
          primary key (file_id, entry, number));
        create index on app.data_export_chunks (export_id);
        create index on app.data_export_chunks (created_at);`,
}

/** A file of an export. */
export type FileAddress = { exportId: string; fileId: string }

type FileServices = Pick<Services, 'pool' | 'keyStore'>

/** Binds a piece to its place: it cannot be moved to another file, or within one. */
const createContext = ({ exportId, fileId }: FileAddress, entry: number, number: number) =>
  JSON.stringify(['data-export', exportId, fileId, entry, number])

/** Returns a function that stores one piece of a file. */
export function createChunkWriter({ pool, keyStore }: FileServices, file: FileAddress) {
  const { exportId, fileId } = file
  return async (entry: number, number: number, content: Buffer): Promise<void> => {
    const key = (await keyStore.getOrCreateMany([exportId])).get(exportId) as Key
    await pool.query(
      `insert into app.data_export_chunks (export_id, file_id, entry, number, content) values ($1, $2, $3, $4, $5)`,
      [exportId, fileId, entry, number, encrypt(key, createContext(file, entry, number), content)],
    )
  }
}

/** Returns one piece of a file; null when it was deleted, or its key was destroyed. */
export async function readChunk(
  { pool, keyStore }: FileServices,
  file: FileAddress,
  entry: number,
  number: number,
): Promise<Buffer | null> {
  const { rows } = await pool.query<{ content: Buffer }>(
    'select content from app.data_export_chunks where file_id = $1 and export_id = $2 and entry = $3 and number = $4',
    [file.fileId, file.exportId, entry, number],
  )
  const content = rows[0]?.content
  if (!content) return null
  const key = (await keyStore.getMany([file.exportId])).get(file.exportId)
  return key ? decrypt(key, createContext(file, entry, number), content) : null
}

/** Deletes the file of one attempt. */
export async function deleteFile(pool: Pool, { fileId }: Pick<FileAddress, 'fileId'>): Promise<void> {
  await pool.query('delete from app.data_export_chunks where file_id = $1', [fileId])
}

/** Deletes the files of all attempts at an export but one. */
export async function deleteOtherFiles(pool: Pool, { exportId, fileId }: FileAddress): Promise<void> {
  await pool.query('delete from app.data_export_chunks where export_id = $1 and file_id <> $2', [exportId, fileId])
}

/** Deletes the files of all attempts at an export. */
export async function deleteFiles(pool: Pool, exportId: string): Promise<void> {
  await pool.query('delete from app.data_export_chunks where export_id = $1', [exportId])
}

/** Hours after which every piece is deleted: those for downloads, and two for writing and for downloads that have begun. */
const maxAgeHours = 26

/** Deletes the pieces that no other job has deleted, such as those of an attempt that was killed. */
export async function deleteOldChunks(pool: Pool): Promise<void> {
  await pool.query('delete from app.data_export_chunks where created_at < now() - make_interval(hours => $1)', [
    maxAgeHours,
  ])
}
