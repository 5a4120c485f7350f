/** The kind of an answer to a text message: an agreement, a word for the vendor, or anything else, which a person reads. */
export type ReplyKind = 'confirm' | 'stop' | 'resume' | 'help' | 'other'

/** Words that confirm, in English and Spanish, after case, accents and marks are removed. */
const confirming = new Set(['c', 'confirm', 'confirmed', 'confirmo', 'confirmar', 'y', 'yes', 'si', 'ok', 'okay'])
/** The words by which carriers and Twilio end texts to a number themselves. */
const stopping = new Set(['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit', 'optout', 'revoke', 'alto'])
/** The words by which they begin texts again, and explain. */
const resuming = new Set(['start', 'unstop'])
const helping = new Set(['help', 'info'])

/** Reads the text of a reply. Only a single word counts: a sentence may say anything. */
export function readReply(text: string): ReplyKind {
  const word = text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replaceAll(/[\p{P}\p{S}]/gu, '')
    .trim()
  const joined = word.replaceAll(/\s/g, '')
  if (confirming.has(word)) return 'confirm'
  if (stopping.has(joined)) return 'stop'
  if (resuming.has(joined)) return 'resume'
  return helping.has(joined) ? 'help' : 'other'
}
