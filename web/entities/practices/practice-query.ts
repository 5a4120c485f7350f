import { queryOptions } from '@tanstack/react-query'
import { getPractice } from '#contracts/practices.ts'
import { call } from '#web/api/call.ts'

/** The practice somebody belongs to. */
export const practiceQuery = (practiceId: string) =>
  queryOptions({
    queryKey: ['practice', practiceId],
    queryFn: ({ signal }) => call(getPractice, { params: { practiceId } }, signal),
  })
