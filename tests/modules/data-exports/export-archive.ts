import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import type { DataExport } from '#contracts/data-exports.ts'
import type { Resource } from '#modules/data-exports/fhir.ts'
import type { Client } from '#tests/support/client.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

export const listExports = async (client: Client) => (await client.get('/api/data-exports')).body as DataExport[]

/** Requests an export and returns its id. */
export async function requestExport(client: Client): Promise<string> {
  const reply = await client.post('/api/data-exports')
  if (reply.status !== 201) throw new Error(`export: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.exportId as string
}

/** Waits until an export has a state. */
export async function waitForState(client: Client, exportId: string, state: DataExport['state']): Promise<DataExport> {
  const exports = await waitUntil(
    () => listExports(client),
    (all) => all.some((each) => each.id === exportId && each.state === state),
  )
  return exports.find(({ id }) => id === exportId) as DataExport
}

/** Downloads the file of an export. */
export async function downloadFile(client: Client, exportId: string) {
  const response = await fetch(`${client.url}/api/data-exports/${exportId}/file`, {
    headers: { cookie: client.cookie() ?? '' },
  })
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}

type Row = Record<string, string>

/** The contents of an archive: the rows of its tables and its resources, by the names of the files. */
export type Archive = {
  names: string[]
  tables: Record<string, Row[]>
  resources: Record<string, Resource[]>
}

/** Reads an archive as other programs do. */
export function readArchive(bytes: Uint8Array): Archive {
  const files = Object.entries(unzipSync(bytes)).map(
    ([name, content]) => [name, Buffer.from(content).toString()] as const,
  )
  const find = (folder: string, ending: string) =>
    files.flatMap(([name, text]) =>
      name.startsWith(folder) ? [[name.slice(folder.length, -ending.length), text] as const] : [],
    )
  return {
    names: files.map(([name]) => name),
    tables: Object.fromEntries(
      find('csv/', '.csv').map(([name, text]) => [name, parse(text, { columns: true, bom: true }) as Row[]]),
    ),
    resources: Object.fromEntries(
      find('fhir/', '.ndjson').map(([name, text]) => [
        name,
        text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Resource])),
      ]),
    ),
  }
}

/** Requests an export, waits for it and reads it. */
export async function exportAll(client: Client): Promise<Archive & { exportId: string; bytes: Uint8Array }> {
  const exportId = await requestExport(client)
  await waitForState(client, exportId, 'ready')
  const { bytes } = await downloadFile(client, exportId)
  return { exportId, bytes, ...readArchive(bytes) }
}
