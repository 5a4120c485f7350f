import Router from '@koa/router'
import { changes } from '#contracts/changes.ts'
import { serveStream } from '#http/serve-stream.ts'
import { createChangeFeed } from '#modules/changes/change-feed.ts'
import type { Module } from '#modules/module.ts'

/** The endpoint of live updates with a short heartbeat interval, for tests that wait for one. */
export const impatient = { ...changes, path: '/api/test-changes' } as const
/** The endpoint of live updates without heartbeats, for tests of what ends a stream before the next one. */
export const silent = { ...changes, path: '/api/test-changes-without-heartbeats' } as const
/** Adds both endpoints to an application. */
export const moduleWithOtherHeartbeats: Module = {
  name: 'other-heartbeats',
  events: [],
  routes(services) {
    const router = new Router()
    serveStream(router, impatient, async () => ({ end: () => undefined }), { intervalMs: 20 })
    serveStream(router, silent, createChangeFeed(services).subscribe, { intervalMs: 24 * 3_600_000 })
    return router
  },
}
