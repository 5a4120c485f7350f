import { inflateSync } from 'node:zlib'

/** Extracts the text of a PDF: hexadecimal strings in compressed streams. */
export function extractPdfText(pdf: Buffer): string {
  const text = pdf.toString('latin1')
  return [...text.matchAll(/stream\r?\n/g)]
    .map(({ index, 0: mark }) => {
      try {
        return inflateSync(pdf.subarray(index + mark.length)).toString('latin1')
      } catch {
        return ''
      }
    })
    .flatMap((content) => [...content.matchAll(/<([0-9A-Fa-f]+)> Tj/g)])
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    .join('\n')
}
