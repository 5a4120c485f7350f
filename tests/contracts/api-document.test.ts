import { createConfig, lintFromString } from '@redocly/openapi-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { type Contracts, loadContracts, readDocstrings } from '#http/api-docs/contracts.ts'
import { createApiDocument } from '#http/api-docs/document.ts'
import { examples } from '#http/api-docs/examples.ts'

let contracts: Contracts
let document: ReturnType<typeof createApiDocument>
beforeAll(async () => {
  contracts = await loadContracts()
  document = createApiDocument(contracts, () => true)
})

const lint = async (text: string) => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // A record with an enum as its keys names them in `required` and not in `properties`.
      'no-required-schema-properties-undefined': 'off',
      // `/patients/import/{importId}` and `/patients/{patientId}/appointments` differ because ids are UUIDs.
      'no-ambiguous-paths': 'off',
    },
  })
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, message, location: [place] }) => `${ruleId}: ${message} ${place?.pointer}`)
}

describe('the description of the API', () => {
  it('passes the linter without a problem', async () => {
    expect(await lint(JSON.stringify(document))).toEqual([])
    // The linter notices what is missing.
    expect(await lint(JSON.stringify({ ...document, info: { version: '1' } }))).not.toEqual([])
  })

  it('has one operation for every endpoint, named like it', () => {
    const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    )
    expect(operations.toSorted()).toEqual(
      contracts.endpoints
        .map(({ name, value }) => `${name} ${value.method} ${value.path.replaceAll(/:(\w+)/g, '{$1}')}`)
        .toSorted(),
    )
  })

  it('leaves out what this installation does not serve', () => {
    const isServed = ({ path }: Endpoint) => path !== '/api/billing-sandbox/portal'
    const paths = Object.keys(createApiDocument(contracts, isServed).paths ?? {})
    expect(paths).toContain('/api/patients')
    expect(paths).not.toContain('/api/billing-sandbox/portal')
  })

  it('says who may call an operation, in the words of its docstring, and which refusals to expect', () => {
    const operation = document.paths?.['/api/patients/{patientId}']?.patch
    expect(operation?.summary).toBe('Change patient')
    expect(operation?.description).toBe(
      '409 `changed-meanwhile` with `changes` when `revision` is given and stale.\n\n' +
        'Requires the permission `patients:write` (doctor, nurse, staff, administrator).',
    )
    const statuses = ['200', '400', '401', '403', '404', '408', '409', '413', '415', '422', '503', '507']
    expect(Object.keys(operation?.responses ?? {})).toEqual(statuses)
    expect(operation?.parameters).toContainEqual(expect.objectContaining({ in: 'header', name: 'Idempotency-Key' }))
    const insights = document.paths?.['/api/ai/insights']?.get
    expect(insights?.description).toContain('AI Insights requires the plan Professional or a higher one.')
    expect(document.paths?.['/api/login']?.post?.security).toEqual([])
  })

  it('describes a page of a list by its headers', () => {
    const headers = (path: string) => document.paths?.[path]?.get?.responses?.['200']?.headers
    expect(Object.keys(headers('/api/patients') ?? {})).toEqual(['X-Total-Count', 'Link'])
    expect(headers('/api/providers')).toBeUndefined()
  })

  it('shows examples that the endpoint accepts', () => {
    for (const [name, example] of Object.entries(examples)) {
      const found = contracts.endpoints.find((endpoint) => endpoint.name === name)
      expect([name, found?.value.body?.safeParse(example).error]).toEqual([name, undefined])
    }
  })
})

it('reads the docstrings of exported constants', () => {
  const source =
    '/** Not this one. */\nconst a = 1\n\n/**\n * Lists `x`:\n * all of them.\n */\nexport const listX = 1\n'
  expect([...readDocstrings(source)]).toEqual([['listX', 'Lists `x`: all of them.']])
})
