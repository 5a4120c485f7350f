import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RequestInput } from '#contracts/endpoint.ts'
import {
  acceptInvitation,
  changeMember,
  getTeam,
  inviteMember,
  openInvitation,
  resendInvitation,
  resetTwoFactor,
  revokeInvitation,
  transferOwnership,
} from '#contracts/team.ts'
import { call } from '#web/api/call.ts'
import { beginSession } from '#web/entities/accounts/begin-session.ts'
import { refreshCurrentUser } from '#web/entities/accounts/current-user.ts'
import { providerSeatsQuery, providersQuery } from '#web/entities/providers/providers.ts'
import { teamKeys } from './team-keys.ts'

/** Query for the members and open invitations of the practice. */
export const teamQuery = queryOptions({
  queryKey: teamKeys.all,
  queryFn: ({ signal }) => call(getTeam, {}, signal),
  staleTime: 0,
})

/** Query for the invitation behind a link. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: teamKeys.invitation(token),
    queryFn: ({ signal }) => call(openInvitation, { params: { token } }, signal),
    staleTime: 0,
    gcTime: 0,
  })

function useTeamMutation<Variables, Reply>(mutationFn: (variables: Variables) => Promise<Reply>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: providerSeatsQuery.queryKey })
      return queries.invalidateQueries({ queryKey: teamKeys.all })
    },
    // The link of an invitation is secret, so it is not kept in the cache.
    gcTime: 0,
  })
}

/** Returns the mutation that invites a person. Without a mail server, its reply contains the link. */
export const useInvite = () =>
  useTeamMutation((body: RequestInput<typeof inviteMember>['body']) => call(inviteMember, { body }))

/** Returns the mutation that sends an invitation again, with a new link. */
export const useResendInvitation = () =>
  useTeamMutation((invitationId: string) => call(resendInvitation, { params: { invitationId } }))

/** Returns the mutation that revokes an invitation. */
export const useRevokeInvitation = () =>
  useTeamMutation((invitationId: string) => call(revokeInvitation, { params: { invitationId } }))

/** Returns the mutation that changes a member. */
export function useChangeMember() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ userId, body }: { userId: string; body: RequestInput<typeof changeMember>['body'] }) =>
      call(changeMember, { params: { userId }, body }),
    onSuccess: async (_, { body }) => {
      if (body.providerId !== undefined || body.role === 'reviewer')
        void queries.invalidateQueries({ queryKey: providersQuery.queryKey })
      // The user may have changed their own role.
      if (body.role !== undefined) void refreshCurrentUser(queries)
      await queries.invalidateQueries({ queryKey: teamKeys.all })
    },
  })
}

/** Returns the mutation that turns off the two-factor sign-in of a member. */
export const useResetTwoFactor = () =>
  useTeamMutation(({ userId, password }: { userId: string; password: string }) =>
    call(resetTwoFactor, { params: { userId }, body: { password } }),
  )

/** Returns the mutation that makes another member the owner. */
export function useTransferOwnership() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (userId: string) => call(transferOwnership, { params: { userId } }),
    onSuccess: async () => {
      await refreshCurrentUser(queries)
      await queries.invalidateQueries({ queryKey: teamKeys.all })
    },
  })
}

/** Returns the mutation that accepts an invitation; the server then starts a session. */
export function useAcceptInvitation(token: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof acceptInvitation>['body']) =>
      call(acceptInvitation, { params: { token }, body }),
    onSuccess: (user) => beginSession(queries, user),
  })
}
