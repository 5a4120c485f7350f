import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

const extension = '.eml'

/** Returns the folder in which messages are stored when no mail server is configured. */
export const outboxFolder = (dataDir: string): string => path.join(dataDir, 'outbox')

/** A message in the outbox. `date` is an ISO instant in UTC; texts are empty where the file has no such header. */
export type StoredMessage = { file: string; date: string; to: string; subject: string }

/**
 * Stores a message as the file `<key>.eml`, through a temporary file, so that no reader sees half of it. Stored again, it
 * is still one file.
 */
export async function storeMessage(folder: string, key: string, content: Buffer): Promise<void> {
  if (!/^[\w-]+$/.test(key)) throw new TypeError('The key of a message must be usable as a file name')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = path.join(folder, `.${key}.${randomBytes(6).toString('hex')}`)
  await writeFile(draft, content, { mode: 0o600, flush: true })
  await rename(draft, path.join(folder, key + extension))
}

/** Lists the stored messages, oldest first. */
export async function listMessages(folder: string): Promise<StoredMessage[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = names.filter((name) => name.endsWith(extension))
  const messages = await Promise.all(
    files.map(async (file) => {
      const getHeader = parseHeaders(await readFile(path.join(folder, file), 'utf8'))
      const date = new Date(getHeader('date'))
      const isoDate = Number.isNaN(date.getTime()) ? '' : date.toISOString()
      return { file, date: isoDate, to: getHeader('to'), subject: getHeader('subject') }
    }),
  )
  return messages.toSorted((a, b) => `${a.date} ${a.file}`.localeCompare(`${b.date} ${b.file}`, 'en'))
}

/** Returns the plain text of a stored message: its first part, as `composeMessage` writes it. */
export async function readText(folder: string, { file }: StoredMessage): Promise<string> {
  const message = await readFile(path.join(folder, file), 'utf8')
  const boundary = /boundary="([^"]+)"/.exec(parseHeaders(message)('content-type'))?.[1]
  const part = boundary === undefined ? message : (message.split(`--${boundary}\r\n`)[1] ?? message)
  const start = part.indexOf('\r\n\r\n')
  const content = start === -1 ? part : part.slice(start + 4)
  const isEncoded = parseHeaders(part)('content-transfer-encoding').toLowerCase() === 'quoted-printable'
  return `${(isEncoded ? decodeQuotedPrintable(content) : content).replaceAll('\r\n', '\n').trimEnd()}\n`
}

/** Decodes the transfer encoding of RFC 2045, section 6.7. */
function decodeQuotedPrintable(text: string): string {
  const joined = text.replaceAll(/=\r?\n/g, '')
  const bytes = joined.replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Returns a function that looks up headers by their name in lower case. */
function parseHeaders(message: string): (name: string) => string {
  const [head = ''] = message.split(/\r?\n\r?\n/, 1)
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = new Map(
    lines.map((line) => {
      const end = line.indexOf(':')
      return [line.slice(0, end).toLowerCase(), line.slice(end + 1).trim()]
    }),
  )
  return (name) => headers.get(name) ?? ''
}
