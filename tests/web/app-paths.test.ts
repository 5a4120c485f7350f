import { expect, it } from 'vitest'
import { appPaths, isAppPath } from '#contracts/app-paths.ts'
import { router } from '#web/router.tsx'

it('lists the screens of the router', () => {
  expect(appPaths.toSorted()).toEqual(Object.keys(router.routesByPath).toSorted())
})

it('recognizes their addresses', () => {
  for (const path of ['/', '/patients', '/patients/', '/patients/8d4998a1', '/forms/8d4998a1/fill', '/billing-portal'])
    expect([path, isAppPath(path)]).toEqual([path, true])
  for (const path of [
    '',
    '//',
    '/patient',
    '/patients/1/2',
    '/forms/1/2',
    '/patients//',
    '/authx',
    '/features/analytics',
  ])
    expect([path, isAppPath(path)]).toEqual([path, false])
})
