import { z } from 'zod'
import { PracticeId, SeriesId } from '#contracts/values/ids.ts'
import { followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob } from '#modules/module.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { bookSeriesAppointments } from './book-series.ts'
import { bookSeriesJob } from './process-manager.ts'

/** Books the appointments of a planned series that are not booked yet. */
export const bookSeries = defineJob({
  name: bookSeriesJob,
  data: z.strictObject({ cause: Cause, practiceId: PracticeId, seriesId: SeriesId }),
  retry: followUpRetry,
  async run(services, { practiceId, seriesId, cause }) {
    await bookSeriesAppointments(services, seriesId, processContext(bookSeriesJob, practiceId, cause))
  },
})
