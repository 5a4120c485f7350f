import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { type PracticeSetup, setUpPractice } from '#contracts/practice-settings.ts'
import { call } from '#web/api/call.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'

/** Returns the mutation that sends the setup and refetches the current user, who now belongs to a practice (spec). */
export function useSetUpPractice() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof PracticeSetup>) => call(setUpPractice, { body }),
    onSuccess: async (practice) => {
      queries.setQueryData(practiceQuery(practice.id).queryKey, practice)
      await queries.refetchQueries({ queryKey: currentUserQuery.queryKey })
    },
  })
}
