import { followUp, followUpDelaySeconds } from '#modules/kit/follow-up.ts'
import { defineProcessManager } from '#process-managers/process-manager.ts'
import type { SeriesEvent } from './events.ts'

/** The name of the job that this process manager requests; see jobs.ts. */
export const bookSeriesJob = 'book-series'

/** Books the rest of a series when the request that planned it was interrupted. */
export const resumeSeries = defineProcessManager<SeriesEvent>({
  name: 'resume-series',
  on: {
    // Booking up to 52 appointments takes longer than other requests.
    SeriesPlanned: (event) =>
      followUp(
        event,
        bookSeriesJob,
        { practiceId: event.data.practiceId, seriesId: event.data.seriesId },
        6 * followUpDelaySeconds,
      ),
  },
})
