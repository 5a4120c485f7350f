import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import { type Access, type Endpoint, mayWrite } from '#contracts/endpoint.ts'
import { Problem } from '#contracts/problem.ts'
import { getPlan } from '#contracts/values/plans.ts'
import { hasPermission, Role } from '#contracts/values/roles.ts'
import { features } from '#contracts/values/tiers.ts'
import type { Contracts } from './contracts.ts'
import { examples } from './examples.ts'

type OpenApiDocument = ReturnType<typeof createDocument>
type DocumentedEndpoint = Contracts['endpoints'][number]

const introduction = `The API of Everchart, which its own web app uses. Requests and replies are JSON in UTF-8.

**Sessions.** \`POST /api/login\` and \`POST /api/register\` set a session cookie; send it with every request. A program
that is not a browser sends no \`Origin\` header; a browser may write only from Everchart's own address.

**Input.** Unknown query parameters are ignored, unknown fields of a body are refused with 422. An empty text clears an
optional field, like null. Instants are ISO 8601 in UTC; local dates (YYYY-MM-DD) and times (HH:mm) are in the time zone
of the practice. Amounts are whole cents unless a field says otherwise.

**Access.** Every query is limited to the practice of the caller: a record of another practice is answered 404, like one
that does not exist. Each operation names the permission that it requires and the roles that have it; the owner of the
practice has all of them.

**Problems.** Every refusal and failure is \`application/problem+json\` (RFC 9457) with a \`code\` for programs, a
\`message\` for people, and \`errors\` that name the fields at fault. The header \`X-Correlation-Id\` of every response
identifies the request in the log.

**Pages.** A list with the parameter \`cursor\` is paged: \`X-Total-Count\` is the number of all records, and
\`Link: <...>; rel="next"\` is the address of the next page, absent on the last one.

**Concurrent changes.** A change that sends the \`revision\` on which it is based is refused with 409
\`changed-meanwhile\` when the record has changed since; \`changes\` names the fields, who changed them and when.

**Repeated requests.** A write with the header \`Idempotency-Key\` takes effect once, however often it is sent. For 24
hours its success is answered again, with \`Idempotency-Replayed: true\`; a refusal is decided again. While the first one
runs, a repetition is refused with 409 \`still-running\`; the key of another request with 422 \`idempotency-key-reused\`.
A 503 \`outcome-unknown\` means that the request may have been saved, wholly or in part: send it again with the same key,
or check first. Any other failure means that nothing was saved.`

/** The refusals that several operations share. */
const problems = {
  400: ['Unreadable', 'The request cannot be read.'],
  401: ['SignedOut', 'There is no session, or it has ended: `signed-out`.'],
  402: ['PaymentRequired', 'The plan has no room for it, or the card was declined.'],
  403: ['Forbidden', 'The role or the plan does not include this.'],
  404: ['NotFound', 'There is no such record in the practice of the caller.'],
  408: ['TooSlow', 'The body stopped arriving.'],
  409: ['Conflict', 'The request conflicts with the state of the record; `code` says how.'],
  413: ['TooLarge', 'The body is too large.'],
  415: ['NotJson', 'The body is not JSON in UTF-8.'],
  422: ['Invalid', 'Fields or parameters are not valid; `errors` names them.'],
  429: ['TooMany', 'Too many requests; `Retry-After` says when to repeat it.'],
  503: ['Unavailable', 'Data cannot be read or saved at the moment; `Retry-After` says when to repeat it.'],
  507: ['StorageFull', 'Nothing was saved, because the disk of the installation is full.'],
} as const
type ProblemStatus = keyof typeof problems

/** The name of the cookie is different behind TLS, where the browser accepts it from this host only. */
const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: 'everchart.sid', description: 'The session cookie.' },
} as const

/**
 * Creates the OpenAPI description of the contracts that `isServed` accepts. Operations, their names and descriptions, and
 * the schemas all come from the contracts. Everything named in `contracts/` becomes a component.
 */
export function createApiDocument(contracts: Contracts, isServed: (endpoint: Endpoint) => boolean): OpenApiDocument {
  // The library reads names from the global registry only. They are removed again: other users of zod would see them.
  for (const { name, description, value } of contracts.schemas)
    z.globalRegistry.add(value, { id: name, ...(description === undefined ? {} : { description }) })
  try {
    return describeServed(contracts, isServed)
  } finally {
    for (const { value } of contracts.schemas) z.globalRegistry.remove(value)
  }
}

function describeServed(contracts: Contracts, isServed: (endpoint: Endpoint) => boolean): OpenApiDocument {
  const served = contracts.endpoints.filter(({ value }) => isServed(value))
  const groups = [...new Set(served.map(({ group }) => group))].toSorted()
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Everchart API',
        version: '1.0',
        description: introduction,
        license: { name: 'All rights reserved', identifier: 'LicenseRef-proprietary' },
      },
      servers: [{ url: '/', description: 'This installation.' }],
      tags: groups.map((name) => ({ name, description: `Operations of ${name.replaceAll('-', ' ')}.` })),
      security: [{ session: [] }],
      paths: createPaths(served),
      components: {
        securitySchemes,
        responses: Object.fromEntries(
          Object.values(problems).map(([name, description]) => [
            name,
            { description, content: { 'application/problem+json': { schema: Problem } } },
          ]),
        ),
      },
    },
    { override: describeNormalized, allowEmptySchema: { custom: true } },
  )
}

/**
 * Describes a reply that the schema normalizes (trims, or turns an empty text into null) by what the normalization
 * receives, because JSON Schema cannot express the function; its result has the same type.
 */
const describeNormalized: ZodOpenApiOverride = ({ zodSchema: { _zod }, jsonSchema, io }) => {
  const { def } = _zod
  if (io !== 'output' || def.type !== 'pipe' || def.out._zod.def.type !== 'transform') return
  const { $schema: _version, ...received } = z.toJSONSchema(def.in, { io: 'input' })
  Object.assign(jsonSchema, received)
}

function createPaths(served: readonly DocumentedEndpoint[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const documented of served) {
    const { method, path } = documented.value
    const item = (paths[path.replaceAll(/:(\w+)/g, '{$1}')] ??= {})
    item[method.toLowerCase()] = createOperation(documented)
  }
  return paths
}

function createOperation({ name, group, description, value }: DocumentedEndpoint): ZodOpenApiOperationObject {
  const { access, params, query, body, bodyLimit } = value
  const example = examples[name]
  const limit = bodyLimit === undefined ? '' : `At most ${bodyLimit / 1024 / 1024} MB. `
  return {
    operationId: name,
    tags: [group],
    summary: toSummary(name),
    description: [description, describeAccess(access)].filter(Boolean).join('\n\n'),
    ...(access === 'public' ? { security: [] } : {}),
    requestParams: {
      ...(params ? { path: params as z.ZodObject } : {}),
      ...(query ? { query: query as z.ZodObject } : {}),
      ...(mayWrite(value) ? { header: idempotencyHeader } : {}),
    },
    ...(body
      ? {
          requestBody: {
            required: true,
            ...(limit ? { description: limit.trim() } : {}),
            content: { 'application/json': { schema: body, ...(example === undefined ? {} : { example }) } },
          },
        }
      : {}),
    responses: {
      ...createSuccess(value),
      ...Object.fromEntries(
        findProblemStatuses(value, description ?? '').map((status) => [
          status,
          { $ref: `#/components/responses/${problems[status][0]}` },
        ]),
      ),
    },
  }
}

const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .meta({ description: 'Identifies what the user wants, so that it is done once: a UUID.' }),
})

/** Returns the words of a name: "listPatients" becomes "List patients". */
function toSummary(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function describeAccess(access: Access): string {
  if (access === 'public') return 'Open to everyone.'
  if (access === 'signed-in') return 'For signed-in users.'
  if (access === 'member') return 'For all members of a practice.'
  const roles = Role.options.filter((role) => hasPermission({ role, isOwner: false }, access.permission))
  const who = `Requires the permission \`${access.permission}\` (${roles.join(', ')}).`
  if (!access.feature) return who
  const { name, tier } = features[access.feature]
  return `${who} ${name} requires the plan ${getPlan(tier).name} or a higher one.`
}

function createSuccess({ method, reply, status, stream, contentType, query }: Endpoint) {
  if (reply instanceof z.ZodNull) return { 204: { description: 'Done. The reply has no body.' } }
  const mediaType = stream ? 'text/event-stream' : (contentType?.split(';')[0] ?? 'application/json')
  const isPaged = query instanceof z.ZodObject && 'cursor' in query.shape
  const headers = {
    'X-Total-Count': { description: 'The number of all records.', schema: { type: 'integer' as const } },
    Link: { description: 'The address of the next page, if there is one.', schema: { type: 'string' as const } },
  }
  return {
    [`${status ?? 200}`]: {
      description: method === 'GET' ? 'The requested data.' : 'Done.',
      content: { [mediaType]: { schema: contentType ? z.string() : reply } },
      ...(isPaged ? { headers } : {}),
    },
  }
}

/** Returns the statuses of the refusals that an endpoint can answer, also those that its docstring names. */
function findProblemStatuses(endpoint: Endpoint, description: string): ProblemStatus[] {
  const { method, access, params, query, body } = endpoint
  const isOfPractice = access !== 'public' && access !== 'signed-in'
  const applies: Record<ProblemStatus, boolean> = {
    400: true,
    408: body !== undefined,
    507: method !== 'GET',
    401: access !== 'public',
    402: false,
    403: typeof access === 'object',
    404: params !== undefined,
    409: isOfPractice || (mayWrite(endpoint) && access !== 'public'),
    413: body !== undefined,
    415: body !== undefined,
    422: body !== undefined || query !== undefined || (mayWrite(endpoint) && access !== 'public'),
    429: false,
    503: true,
  }
  const statuses = Object.keys(applies).map(Number) as ProblemStatus[]
  return statuses.filter((status) => applies[status] || new RegExp(`\\b${status}\\b`).test(description))
}
