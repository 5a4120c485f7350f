import { Role } from '#contracts/values/roles.ts'
import type { ApiResponse, Client } from './client.ts'
import { joinPractice } from './members.ts'
import { password } from './practice.ts'

/** Everyone who may call an endpoint: the columns of the tables. The owner's own role is staff. */
const columns = ['visitor', ...Role.options, 'owner'] as const

/** Returns the client of each caller of a practice; a visitor has a new one for each request. */
export type Callers = Record<(typeof columns)[number], () => Client>

/** The result of a request: carried out, or refused with a status. */
type Cell = 'allowed' | '401' | '403' | '404'

/** The replies to one endpoint, by caller. */
export type PermissionRow = { name: string; cells: Record<keyof Callers, Cell> }

/** Signs in one member of a practice in each role, and its owner once more. */
export async function createCallers(app: Parameters<typeof joinPractice>[0], owner: Client): Promise<Callers> {
  const { practiceId, email } = (await owner.get('/api/user')).body
  const members = Role.options.map(async (role) => {
    const client = await joinPractice(app, practiceId, role)
    return [role, () => client] as const
  })
  const again = app.newClient()
  await again.post('/api/login', { email, password })
  const byRole = Object.fromEntries(await Promise.all(members)) as Record<Role, () => Client>
  return { visitor: app.newClient, ...byRole, owner: () => again }
}

/**
 * Sends a request as every caller, at the same time. A conflict (409) is about the state of a record, a wrong password about the
 * request, and neither is a refusal of the caller. Throws for every other status, such as for a body that is not valid.
 */
export async function askAsEveryone(
  name: string,
  callers: Callers,
  send: (client: Client, caller: keyof Callers) => Promise<Pick<ApiResponse, 'status' | 'problem'>>,
): Promise<PermissionRow> {
  const cells = columns.map(async (caller) => {
    const { status, problem } = await send(callers[caller](), caller)
    if ([200, 201, 202, 204, 409].includes(status) || (status === 422 && problem.code === 'wrong-password'))
      return [caller, 'allowed'] as const
    if ([401, 403, 404].includes(status)) return [caller, String(status) as Cell] as const
    throw new Error(`${name} as ${caller}: ${status} tells nothing about permissions`)
  })
  return { name, cells: Object.fromEntries(await Promise.all(cells)) as PermissionRow['cells'] }
}

const capitalize = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

function renderTable(rows: readonly PermissionRow[]): string {
  const lines = rows
    .toSorted((one, other) => pathOf(one).localeCompare(pathOf(other)) || one.name.localeCompare(other.name))
    .map(({ name, cells }) => ['`' + name + '`', ...columns.map((caller) => cells[caller])])
  const head = ['Endpoint', ...columns.map(capitalize)]
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const pathOf = ({ name }: PermissionRow) => name.split(' ')[1] ?? ''

/** Renders docs/product/permissions.md. */
export const renderPermissions = (
  own: readonly PermissionRow[],
  foreign: readonly PermissionRow[],
): string => `# Permissions

Who may call which endpoint, as the server replies. \`tests/http/every-endpoint.test.ts\` sends each request over HTTP as
each caller. It fails when a reply is not the one in these tables, when an endpoint has no row, and when a row contradicts
the permission that the endpoint declares. \`contracts/values/roles.ts\` says which permissions a role has.

After an intended change, \`npx vitest run tests/http/every-endpoint.test.ts --update\` writes these tables again; the
difference shows what the change permits and refuses.

| Cell | Meaning |
| --- | --- |
| allowed | The request is carried out, or refused only because of the state of its record (409) or of a wrong password (422). |
| 401 | Refused: the caller is not signed in. |
| 403 | Refused: the role does not include it. |
| 404 | Refused as if the record did not exist. Links of invitations, new passwords and new emails, and notifications, are unknown ones in all requests. |

A visitor is not signed in. The owner has every permission, whatever the owner's role. The practice of these requests has a
plan that includes every feature; without it, paid features are refused with 403 for every role. Fees, plans and clinical
fields are left out of the replies to roles without their permission
([architecture](../architecture.md#http)).

## In the own practice

${renderTable(own)}

## With the ids of another practice

The same callers, for every request that names a record: of another practice, by its id. The address of a calendar feed is a
secret of its own, and needs no session.

${renderTable(foreign)}
`
