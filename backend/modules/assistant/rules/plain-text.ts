/** A text with single spaces and plain apostrophes, and for each of its places the place in the text as it was written. */
export type PlainText = { plain: string; places: readonly number[]; sentenceEnds: readonly number[] }

/** A full stop ends a sentence only before a space, so that "0.5 mg" is no end. */
const sentenceEnd = /[!?;\n]|\.(?=\s|$)/g

const toPlain = (part: string) => {
  if (part === '’') return "'"
  if (part.trim() !== '') return part
  return part.includes('\n') ? '\n' : ' '
}

/** Simplifies a text for searching. */
export function simplify(text: string): PlainText {
  const parts = [...text.matchAll(/\s+|\S/g)]
  const plain = parts.map(({ 0: part }) => toPlain(part)).join('')
  return {
    plain,
    places: [...parts.map(({ index }) => index), text.length],
    sentenceEnds: [...plain.matchAll(sentenceEnd)].map(({ index }) => index),
  }
}
