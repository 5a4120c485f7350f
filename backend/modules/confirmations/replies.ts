/** What a patient answered to a text message: an agreement, or anything else, which a person reads. */
export type ReplyKind = 'confirm' | 'opt-out' | 'other'

/** Words that confirm, in English and Spanish, after case, accents and marks are removed. */
const confirming = new Set(['c', 'confirm', 'confirmed', 'confirmo', 'confirmar', 'y', 'yes', 'si', 'ok', 'okay'])
/** The words by which carriers and Twilio end and begin texts to a number themselves. */
const reserved = new Set([
  'stop',
  'stopall',
  'unsubscribe',
  'cancel',
  'end',
  'quit',
  'optout',
  'revoke',
  'alto',
  'start',
  'unstop',
  'help',
  'info',
])

/** Reads the text of a reply. Only a single word counts: a sentence may say anything. */
export function readReply(text: string): ReplyKind {
  const word = text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replaceAll(/[\p{P}\p{S}]/gu, '')
    .trim()
  if (confirming.has(word)) return 'confirm'
  return reserved.has(word.replaceAll(/\s/g, '')) ? 'opt-out' : 'other'
}
