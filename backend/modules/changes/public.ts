import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { ChangeHint } from '#contracts/changes.ts'
import { decrypt, encrypt, importKey } from '#encryption/cipher.ts'
import type { Position } from '#eventstore/event.ts'

/**
 * Events of a module that make data on open screens stale, and the kinds of data concerned. Events marked `sample` send no
 * hint unless `includesSamples` is set: a sample practice is written as hundreds of events, and one summary event announces
 * them all. `onlyForActor`: the data is personal, so that only the streams of the user who caused the event get the hint.
 */
export type LiveUpdate = {
  kinds: readonly ChangeHint['kind'][]
  events: readonly z.ZodType[]
  includesSamples?: true
  onlyForActor?: true
}

/** Clients that send a longer one did not get it here. */
const maxLength = 200
const saltLength = 6

/**
 * Points of the history from which the live updates of a practice can resume, as clients keep them. They are encrypted: positions
 * would show a practice when another one writes (contracts/health.ts). All instances can read them, also after a restart.
 */
export function createResumePoints(keyedHash: (purpose: string, value: string) => string) {
  const key = importKey(Buffer.from(keyedHash('live updates', 'points'), 'hex'))
  const toContext = (practiceId: string) => `live updates of ${practiceId}`
  return {
    /** Returns the text for a position; another one each time, so that it does not show either whether anything happened. */
    format(practiceId: string, position: Position): string {
      const content = Buffer.concat([randomBytes(saltLength), Buffer.from(position)])
      return encrypt(key, toContext(practiceId), content).toString('base64url')
    },
    /** Returns the position; null when the text is not a point of this practice and installation. */
    parse(practiceId: string, text: string): Position | null {
      if (text.length > maxLength) return null
      const content = decrypt(key, toContext(practiceId), Buffer.from(text, 'base64url'))
      return content && content.subarray(saltLength).toString()
    },
  }
}
