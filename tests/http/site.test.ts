import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSite } from '#http/site.ts'
import { serveWebApp } from '#http/static.ts'
import { startHttpServer } from '#runtime/http-server.ts'

const style = 'body{color:red}'
const landing = `<!doctype html><style>${style}</style><link rel="canonical" href="https://everchart.invalid/"><a href="mailto:sales@everchart.invalid?subject=Sales">Sales</a><a href="mailto:contact@everchart.invalid?subject=Support">Support</a>`

type Options = Partial<Parameters<typeof loadSite>[0]>
type Reply = { status: number; headers: IncomingHttpHeaders; body: Buffer }
type Send = (target: string, headers?: Record<string, string>, method?: string) => Promise<Reply>

describe('the public pages', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'everchart-site-'))
    await mkdir(path.join(folder, 'site', 'features'), { recursive: true })
    const files = {
      'index.html': 'the application',
      'site/landing.html': landing,
      'site/404.html': '<!doctype html>not found',
      'site/features/analytics.html': '<!doctype html>analytics',
      'site/robots.txt': 'Sitemap: https://everchart.invalid/sitemap.xml\n',
    }
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** Serves the pages with these options while a check runs. */
  async function serving(options: Options, check: (send: Send, port: number) => Promise<void>): Promise<void> {
    const site = loadSite({
      webFolder: folder,
      publicUrl: 'https://clinic.example',
      hasSession: (ctx) => ctx.get('Cookie').includes('session'),
      ...options,
    })
    const koa = new Koa()
    koa.use(site.servePages).use(serveWebApp(folder, site))
    const server = await startHttpServer(koa.callback(), 0, '127.0.0.1')
    const send: Send = (target, headers = {}, method = 'GET') =>
      new Promise((resolve, reject) => {
        const sent = request({ port: server.port, host: '127.0.0.1', path: target, method, headers }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
          )
        })
        sent.on('error', reject).end()
      })
    try {
      await check(send, server.port)
    } finally {
      await server.close(0)
    }
  }

  it('are served by their path, and the landing page at / to visitors only', async () => {
    await serving({}, async (send) => {
      for (const target of ['/', '/landing', '/?ref=mail']) expect(String((await send(target)).body)).toContain('Sales')
      expect(String((await send('/features/analytics')).body)).toContain('analytics')
      const signedIn = await send('/', { cookie: 'session=1' })
      expect(String(signedIn.body)).toBe('the application')
      expect(signedIn.headers.vary).toContain('Cookie')
      expect((await send('/')).headers.vary).toContain('Cookie')
      expect(String((await send('/landing', { cookie: 'session=1' })).body)).toContain('Sales')
    })
  })

  it('are not served as they were built, with placeholders', async () => {
    await serving({}, async (send) => {
      for (const target of ['/site/landing.html', '/site/robots.txt', '/site/404.html'])
        expect([target, (await send(target)).status]).toEqual([target, 404])
    })
  })

  it('lead visitors of / to the sample practice in a demonstration, and to the landing page as ever', async () => {
    await serving({ isDemo: true }, async (send) => {
      const first = await send('/')
      expect([first.status, first.headers.location]).toEqual([302, '/demo'])
      // A browser that remembered it would lead there after signing in, too.
      expect(first.headers['cache-control']).toBe('no-store')
      expect(String((await send('/', { cookie: 'session=1' })).body)).toBe('the application')
      expect(String((await send('/landing')).body)).toContain('Sales')
    })
  })

  it('reply 404 with a page to unknown addresses, and the application to those of its screens', async () => {
    await serving({}, async (send) => {
      for (const target of [
        '/nowhere',
        '/features',
        '/features/analytics/x',
        '/404',
        '/..%2f..%2fetc/passwd',
        '/%E0%A4%A',
      ]) {
        const reply = await send(target)
        expect([target, reply.status, String(reply.body)]).toEqual([target, 404, '<!doctype html>not found'])
      }
      for (const target of ['/patients', '/patients/1234', '/auth?tab=register', '/appointments/'])
        expect(String((await send(target)).body)).toBe('the application')
      expect((await send('/nowhere', {}, 'POST')).status).toBe(405)
    })
  })

  it('are those of the newest build, and a file of an earlier one is not found', async () => {
    const written = async (names: Record<string, string>) => {
      for (const [name, text] of Object.entries(names)) await writeFile(path.join(folder, name), text)
    }
    const assets = path.join(folder, 'assets')
    await mkdir(assets)
    await written({ 'assets/old.js': 'old()' })
    await serving({}, async (send) => {
      expect((await send('/assets/old.js')).status).toBe(200)
      await rm(path.join(assets, 'old.js'))
      const gone = await send('/assets/old.js')
      expect([gone.status, gone.headers['cache-control']]).toEqual([404, undefined])
      await written({
        'assets/new.js': 'new()',
        'site/landing.html': landing.replace('>Sales', '>New sales'),
        'index.html': 'the new application',
      })
      await expect.poll(async () => String((await send('/assets/new.js')).body)).toBe('new()')
      await expect.poll(async () => String((await send('/landing')).body)).toContain('New sales')
      expect(String((await send('/patients')).body)).toBe('the new application')
    })
    await rm(assets, { recursive: true })
    await written({ 'index.html': 'the application', 'site/landing.html': landing })
  })

  it('name this installation, and write to its operator', async () => {
    await serving({ contactEmail: 'desk+office@clinic.example' }, async (send) => {
      const page = String((await send('/')).body)
      expect(page).toContain('href="https://clinic.example/"')
      expect(page).toContain('href="mailto:desk%2Boffice@clinic.example?subject=Sales"')
      expect(page).toContain('href="mailto:desk%2Boffice@clinic.example?subject=Support"')
      expect(String((await send('/robots.txt')).body)).toBe('Sitemap: https://clinic.example/sitemap.xml\n')
      expect((await send('/robots.txt')).headers['content-type']).toMatch(/^text\/plain/)
    })
    await serving({ publicUrl: undefined }, async (send, port) => {
      const page = String((await send('/', { host: 'evil.example' })).body)
      expect(page).toContain(`href="http://localhost:${port}/"`)
      expect(page).toContain('<a href="/auth?tab=register">Sales</a>')
      expect(page).not.toContain('evil')
    })
  })

  it('are compressed, and sent again only when they have changed', async () => {
    await serving({}, async (send) => {
      const plain = await send('/')
      const brotli = await send('/', { 'accept-encoding': 'gzip, br' })
      const gzip = await send('/', { 'accept-encoding': 'gzip' })
      expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(brotliDecompressSync(brotli.body)).toEqual(plain.body)
      expect(gunzipSync(gzip.body)).toEqual(plain.body)
      expect(brotli.headers.vary).toContain('Accept-Encoding')
      expect(brotli.headers['cache-control']).toBe('no-cache')
      expect(new Set([plain, brotli, gzip].map(({ headers }) => headers.etag)).size).toBe(3)
      const again = await send('/', { 'accept-encoding': 'br', 'if-none-match': brotli.headers.etag ?? '' })
      expect([again.status, again.body.length]).toEqual([304, 0])
      const head = await send('/', {}, 'HEAD')
      expect([head.status, head.body.length]).toEqual([200, 0])
    })
  })

  it('may load nothing but files of the installation and their own style sheet', async () => {
    await serving({}, async (send) => {
      const policy = (await send('/')).headers['content-security-policy'] ?? ''
      expect(policy).toContain(`style-src 'self' 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain('unsafe')
    })
  })

  it('name the contact for security problems, for half a year', async () => {
    const clock = () => new Date('2026-11-23T10:00:00Z')
    const getText = async (securityContact: string) => {
      let text = ''
      await serving({ securityContact, clock }, async (send) => {
        text = String((await send('/.well-known/security.txt')).body)
      })
      return text
    }
    expect(await getText('mailto:security@clinic.example')).toBe(
      'Contact: mailto:security@clinic.example\nExpires: 2027-05-22T00:00:00.000Z\nPreferred-Languages: en\n',
    )
    expect(await getText('https://clinic.example/report')).toContain('Contact: https://clinic.example/report\n')
    await serving({}, async (send) => expect((await send('/.well-known/security.txt')).status).toBe(404))
  })
})
