import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contracts/endpoint.ts'
import { hasPermission, Role } from '#contracts/values/roles.ts'

const contracts = await Promise.all(globSync('contracts/*.ts').map((file) => import(resolve(file))))
const endpoints = contracts
  .flatMap((contract) => Object.values(contract as Record<string, unknown>))
  .filter((value): value is Endpoint => typeof value === 'object' && value !== null && 'access' in value)

/** Returns whether everyone who may call an endpoint may see money too. */
const isForBilling = ({ access }: Endpoint) =>
  typeof access === 'object' &&
  Role.options.every((role) => {
    const member = { role, isOwner: false }
    return !hasPermission(member, access.permission) || hasPermission(member, 'billing')
  })

it('every endpoint with fees or revenue withholds them from roles without the permission', () => {
  const withMoney = endpoints.filter(({ reply }) =>
    /"(fee|revenue)":/.test(JSON.stringify(z.toJSONSchema(reply, { unrepresentable: 'any', io: 'output' }))),
  )
  expect(withMoney.length).toBeGreaterThan(8)
  const open = withMoney.filter((endpoint) => !endpoint.withhold && !isForBilling(endpoint))
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})
