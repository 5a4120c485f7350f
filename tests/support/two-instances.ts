import { afterAll, beforeAll } from 'vitest'
import { modules as allModules } from '#main/modules.ts'
import type { Module } from '#modules/module.ts'
import { startTestApp, type TestApp } from './test-app.ts'

/** Starts two instances of the application on one database before the tests of a block, and stops them afterwards. */
export function useTwoInstances(modules: readonly Module[] = allModules): { one: TestApp; other: TestApp } {
  const instances = {} as { one: TestApp; other: TestApp }
  beforeAll(async () => {
    instances.one = await startTestApp({ modules })
    instances.other = await startTestApp({ modules, databaseUrl: instances.one.databaseUrl })
  })
  afterAll(async () => {
    await instances.other.stopInstance()
    await instances.one.dispose()
  })
  return instances
}
