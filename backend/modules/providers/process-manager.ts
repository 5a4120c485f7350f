import type { PracticeId } from '#contracts/values/ids.ts'
import type { PracticeEvent } from '#modules/practices/events.ts'

/** What follows from a practice's set-up: its owner sees patients. */
export const intentionsOf = (event: PracticeEvent): { do: 'add-first-provider'; practiceId: PracticeId }[] =>
  event.type === 'PracticeSetUp' ? [{ do: 'add-first-provider', practiceId: event.data.practiceId }] : []
