import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ sandbox: 'off' })
})
afterAll(() => app.dispose())

it('describes the endpoints that this installation serves, to everyone', async () => {
  const { status, headers, body } = await app.newClient().get('/api/openapi.json')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toContain('application/json')
  expect(body).toMatchObject({ openapi: '3.1.1', info: { title: 'Everchart API' } })
  const paths = Object.keys(body.paths)
  expect(paths).toEqual(expect.arrayContaining(['/api/patients/{patientId}', '/api/health', '/api/openapi.json']))
  // The billing sandbox is off.
  expect(paths.filter((path) => path.includes('sandbox'))).toEqual([])
})

it('is sent uncompressed to a client that accepts no encoding', async () => {
  for (const encoding of ['br;q=1.0, gzip;q=0, *;q=0', '*;q=0', 'identity;q=0']) {
    const { status, headers, body } = await app
      .newClient()
      .request('GET', '/api/openapi.json', undefined, { 'accept-encoding': encoding })
    expect([status, headers.get('content-encoding'), body.openapi]).toEqual([200, null, '3.1.1'])
  }
})

it('serves the page that shows it, with every file of its own and no inline script', async () => {
  const client = app.newClient()
  const page = await client.get('/api/docs')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
  const html = page.body as string
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
  const files = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, file = '']) => file)
  expect(files).toHaveLength(3)
  for (const file of files) {
    const { status, headers } = await client.get(file)
    expect([file, status]).toEqual([file, 200])
    const type = file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('cache-control')).toBe('public, max-age=86400')
  }
  expect(await client.get('/api/docs/other.js')).toMatchObject({ status: 404, problem: { code: 'not-found' } })
})
