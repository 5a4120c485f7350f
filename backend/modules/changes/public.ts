import type { z } from 'zod'
import type { ChangeHint } from '#contracts/changes.ts'

/**
 * Events of a module that make data on open screens stale, and the kinds of data concerned. Events marked `sample` send no
 * hint unless `includesSamples` is set: a sample practice is written as hundreds of events, and one summary event announces
 * them all.
 */
export type LiveUpdate = {
  kinds: readonly ChangeHint['kind'][]
  events: readonly z.ZodType[]
  includesSamples?: true
}
