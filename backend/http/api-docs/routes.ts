import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import Router from '@koa/router'
import { getApiDescription, getApiDocsScript, getApiDocsStyle, showApiDocs } from '#contracts/api-docs.ts'
import type { Endpoint } from '#contracts/endpoint.ts'
import { health } from '#contracts/health.ts'
import type { RequestContext } from '../request-context.ts'
import { serve } from '../serve.ts'
import { loadContracts } from './contracts.ts'
import { createApiDocument } from './document.ts'

/** The page loads every file from this installation and has no inline script, as the security policy requires. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Everchart API</title>
    <link rel="stylesheet" href="/api/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`

/**
 * Shows the description for reading: requests cannot be sent from the page, which could change real records. The groups start
 * closed, because Swagger UI 5.35 draws only a part of a list that is longer than about 120 operations.
 */
const startScript = `SwaggerUIBundle({
  url: '${getApiDescription.path}',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  supportedSubmitMethods: [],
  validatorUrl: null,
})
`

const scripts = {
  'swagger-ui-bundle': () => readViewerFile(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  start: async () => Buffer.from(startScript),
}

const readViewerFile = (url: string) => readFile(fileURLToPath(url))

/** Creates the routes that document the API: the endpoints of the given routers, and their own. */
export function createApiDocsRouter(routers: readonly Router[]): Router {
  const router = new Router()
  // Built at the first request and kept: the contracts do not change while the process runs.
  let description: Promise<ReturnType<typeof createApiDocument>> | undefined

  serve(router, getApiDescription, async () => ({
    ...(await (description ??= describeRoutes([...routers, router]))),
  }))
  serve(router, showApiDocs, async () => page)
  serve(router, getApiDocsStyle, (_, exchange) => {
    keepForDay(exchange)
    return readViewerFile(import.meta.resolve('swagger-ui-dist/swagger-ui.css'))
  })
  serve(router, getApiDocsScript, ({ params: { file } }, exchange) => {
    keepForDay(exchange)
    return scripts[file]()
  })
  return router
}

const keepForDay = ({ setHeader }: RequestContext) => setHeader('Cache-Control', 'public, max-age=86400')

async function describeRoutes(routers: readonly Router[]) {
  const served = new Set(
    routers.flatMap(({ stack }) => stack.flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))),
  )
  const isServed = (endpoint: Endpoint) =>
    endpoint.path === health.path || served.has(`${endpoint.method} ${endpoint.path}`)
  return createApiDocument(await loadContracts(), isServed)
}
