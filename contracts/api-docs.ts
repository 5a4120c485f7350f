import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Describes this API in OpenAPI 3.1, generated from the contracts of this installation. */
export const getApiDescription = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: 'public',
  reply: z.looseObject({ openapi: z.string() }),
})

/** Shows the description of this API as a page. */
export const showApiDocs = endpoint({
  method: 'GET',
  path: '/api/docs',
  access: 'public',
  reply: z.string(),
  contentType: 'text/html; charset=utf-8',
})

/** Returns a style sheet of that page. */
export const getApiDocsStyle = endpoint({
  method: 'GET',
  path: '/api/docs/:file.css',
  access: 'public',
  params: z.object({ file: z.literal('swagger-ui') }),
  reply: z.instanceof(Uint8Array),
  contentType: 'text/css; charset=utf-8',
})

/** Returns a script of that page. */
export const getApiDocsScript = endpoint({
  method: 'GET',
  path: '/api/docs/:file.js',
  access: 'public',
  params: z.object({ file: z.enum(['swagger-ui-bundle', 'start']) }),
  reply: z.instanceof(Uint8Array),
  contentType: 'text/javascript; charset=utf-8',
})
