import { describe, expect, it } from 'vitest'
import { decodeText, FileRefused } from '#web/features/patients/import/read-import-file.ts'

describe('a file', () => {
  const utf8 = new TextEncoder()
  it.each([
    ['UTF-8', utf8.encode('Zoë,Müller'), 'Zoë,Müller'],
    ['UTF-8 with a byte order mark', utf8.encode('\u{FEFF}Zoë'), 'Zoë'],
    ['Windows-1252', Uint8Array.of(0x5a, 0x6f, 0xeb, 0x80), 'Zoë€'],
    ['UTF-16, as written by spreadsheets', Uint8Array.of(0xff, 0xfe, 0x5a, 0, 0xeb, 0), 'Zë'],
  ])('is read in %s', (_, bytes, text) => {
    expect(decodeText(bytes)).toBe(text)
  })

  it('that is a workbook is refused with a hint', () => {
    expect(() => decodeText(Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0x14))).toThrow(FileRefused)
    expect(() => decodeText(Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0x14))).toThrow('save it as CSV')
  })

  it('that is a picture is refused', () => {
    expect(() => decodeText(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0x0d))).toThrow('not a text file')
  })
})
