import { queryOptions } from '@tanstack/react-query'
import { getPractice } from '#contracts/practices.ts'
import { call } from '#web/api/call.ts'
import { practiceKeys } from './practice-keys.ts'

/** Query for the practice of the current user. */
export const practiceQuery = (practiceId: string) =>
  queryOptions({
    queryKey: practiceKeys.one(practiceId),
    queryFn: ({ signal }) => call(getPractice, { params: { practiceId } }, signal),
  })
