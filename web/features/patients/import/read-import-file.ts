import { importLimits } from '#contracts/patient-import.ts'

/** Text and name of a file. */
export type ImportFile = { name: string; text: string }

/** Thrown when a file cannot be imported; the message is shown to the user. */
export class FileRefused extends Error {}

const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, index) => bytes[index] === byte)

/**
 * Decodes a file: UTF-8, UTF-16 as spreadsheets write it, and anything else as Windows-1252, the older Western encoding of
 * Windows. Throws `FileRefused` for a workbook or other binary file.
 */
export function decodeText(bytes: Uint8Array): string {
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04) || startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    throw new FileRefused(
      'This is a workbook. Open it in your spreadsheet program, save it as CSV, and choose that file.',
    )
  if (startsWith(bytes, 0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes)
  if (startsWith(bytes, 0xfe, 0xff)) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.subarray(0, 4_096).includes(0))
    throw new FileRefused('This is not a text file. Please choose a list saved as CSV.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Reads a file in the browser. Throws `FileRefused`. */
export async function readImportFile(file: File): Promise<ImportFile> {
  if (file.size > importLimits.bytes) throw new FileRefused('This file is larger than 20 MB. Please split it.')
  if (file.size === 0) throw new FileRefused('This file is empty.')
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(await file.arrayBuffer())
  } catch {
    throw new FileRefused('This file cannot be read. Is it still there, and closed in other programs?')
  }
  return { name: file.name, text: decodeText(bytes) }
}
