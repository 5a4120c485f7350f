/** Text that stands for what was removed. */
const removed = '[removed]'

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Addresses of mail and pages, social security numbers, dates with a year, and numbers of seven and more digits, however they are split. */
const patterns: readonly RegExp[] = [
  /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu,
  /\bhttps?:\/\/\S+|\bwww\.\S+/giu,
  /\b\d{3}-\d{2}-\d{4}\b/g,
  /\b(?:19|20)\d{2}[-/.]\d{1,2}[-/.]\d{1,2}\b|\b\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)?\d{2}\b/g,
  /\+?\(?\d(?:[\s().\-/]{0,2}\d){6,}/g,
]

/** Removes from a text the given names, and whatever looks like a way to reach or find a person. */
export function removeIdentifiers(text: string, names: readonly string[]): string {
  const scrubbed = patterns.reduce((rest, pattern) => rest.replaceAll(pattern, removed), text)
  if (names.length === 0) return scrubbed
  const words = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${names.map(escape).join('|')})(?![\p{L}\p{N}])`, 'giu')
  return scrubbed.replaceAll(words, removed)
}
