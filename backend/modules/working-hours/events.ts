import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { Weekday } from '#contracts/values/working-hours.ts'
import { event } from '#eventstore/event.ts'

const time = z.string().min(1)
const hours = z.object({ opens: time, closes: time, breaks: z.array(z.object({ from: time, until: time })) })

/** Hours by weekday, in local times of the practice (HH:mm, a day may close at 24:00); null for a closed day. */
const days = z.partialRecord(Weekday, hours.nullable())

/** A change of the working hours of a practice. `from` and `to` contain only the changed weekdays. */
export const WorkingHoursEvent = event('WorkingHoursChanged', { practiceId: PracticeId, from: days, to: days })
export type WorkingHoursEvent = z.infer<typeof WorkingHoursEvent>
