import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { dashboardKeys } from '#web/entities/dashboard/dashboard-keys.ts'
import { patientKeys } from '#web/entities/patients/patient-keys.ts'
import { discardSampleDataOnceHidden } from '#web/shell/discard-sample-data.ts'

const asUser = (subscriptionStatus: 'demo' | 'trial' | 'active', hasLapsed = false, isRemovingSamples = false) =>
  ({ subscriptionStatus, hasLapsed, isRemovingSamples }) as CurrentUser

it('discards figures and lists when the plan opens, and nothing else at any other time', () => {
  const queries = new QueryClient()
  discardSampleDataOnceHidden(queries)
  const setUser = (user: CurrentUser | null) => queries.setQueryData(currentUserQuery.queryKey, user)
  const edited = patientKeys.one('an open form')
  const fill = () => {
    for (const key of [dashboardKeys.stats, patientKeys.pages, edited]) queries.setQueryData(key, 'of the sample')
  }
  const cached = () => [dashboardKeys.stats, patientKeys.pages, edited].map((key) => queries.getQueryData(key))
  const all = ['of the sample', 'of the sample', 'of the sample']

  fill()
  setUser(asUser('demo'))
  setUser(asUser('demo'))
  expect(cached()).toEqual(all)
  setUser(asUser('trial'))
  expect(cached()).toEqual([undefined, undefined, 'of the sample'])
  fill()
  for (const user of [asUser('active'), asUser('demo', true), asUser('active'), null, asUser('active')]) setUser(user)
  expect(cached()).toEqual(all)
  queries.clear()
})

it('refetches figures and lists when the last sample record is removed', () => {
  const queries = new QueryClient()
  discardSampleDataOnceHidden(queries)
  const setUser = (user: CurrentUser | null) => queries.setQueryData(currentUserQuery.queryKey, user)
  const isStale = () => queries.getQueryState(patientKeys.pages)?.isInvalidated
  setUser(asUser('trial', false, true))
  queries.setQueryData(patientKeys.pages, 'own')
  setUser(asUser('trial', false, true))
  expect(isStale()).toBe(false)
  setUser(asUser('trial'))
  expect(isStale()).toBe(true)
  queries.clear()
})
