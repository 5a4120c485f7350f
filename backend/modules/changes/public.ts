import type { z } from 'zod'
import type { ChangeHint } from '#contracts/changes.ts'

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
