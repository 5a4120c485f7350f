import Router from '@koa/router'
import type Koa from 'koa'
import { expect, it } from 'vitest'
import { mergeRouters } from '#http/merge-routers.ts'

/** Creates a router that replies to each method and pattern with its name. */
function createRouter(...routes: readonly `${'GET' | 'POST'} ${string}`[]): Router {
  const router = new Router()
  for (const route of routes) {
    const [method = '', pattern = ''] = route.split(' ')
    router.register(pattern, [method], (ctx) => {
      ctx.body = { route, params: ctx.params }
    })
  }
  return router
}

const run = mergeRouters([
  createRouter('GET /api/patients', 'GET /api/patients/search', 'GET /api/patients/:id', 'POST /api/patients'),
  createRouter('GET /api/patients/:id/files', 'GET /confirm/:token', 'GET /api/:noun/:id'),
  createRouter('GET /api/appointments/:id'),
])

async function request(method: string, path: string) {
  const ctx = { method, path, host: '', state: {}, request: {} } as unknown as Koa.Context
  let isLeft = false
  await run(ctx, async () => {
    isLeft = true
  })
  return isLeft ? null : ctx.body
}

it('runs the first route that matches, of whichever router', async () => {
  expect(await request('GET', '/api/patients')).toEqual({ route: 'GET /api/patients', params: {} })
  expect(await request('POST', '/api/patients')).toEqual({ route: 'POST /api/patients', params: {} })
  expect(await request('GET', '/api/patients/search')).toMatchObject({ route: 'GET /api/patients/search' })
  expect(await request('GET', '/api/patients/7')).toEqual({ route: 'GET /api/patients/:id', params: { id: '7' } })
  expect(await request('GET', '/api/patients/7/files')).toMatchObject({ route: 'GET /api/patients/:id/files' })
})

it('runs routes that begin with a text of the client, before those that follow', async () => {
  expect(await request('GET', '/confirm/abc')).toEqual({ route: 'GET /confirm/:token', params: { token: 'abc' } })
  expect(await request('GET', '/api/appointments/7')).toMatchObject({ route: 'GET /api/:noun/:id' })
  expect(await request('GET', '/api/unknown/7')).toMatchObject({ params: { noun: 'unknown', id: '7' } })
})

it('matches as the router does: in either case, with a slash at the end', async () => {
  expect(await request('GET', '/API/Patients')).toMatchObject({ route: 'GET /api/patients' })
  expect(await request('GET', '/api/patients/')).toMatchObject({ route: 'GET /api/patients' })
})

it('leaves other requests to what follows', async () => {
  expect(await request('GET', '/api/unknown')).toBeNull()
  expect(await request('PATCH', '/api/patients')).toBeNull()
  expect(await request('GET', '/')).toBeNull()
})
