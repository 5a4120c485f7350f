import type { Middleware } from 'koa'
import type { Caller } from './session.ts'

/** A request that was refused: who, where and why, without its content. */
export type Refusal = {
  caller: Pick<Caller, 'userId' | 'practiceId' | 'role'> | null
  method: string
  /** The path pattern of the contract; null when the request was refused before its route was known. */
  route: string | null
  status: number
  code: string
  /** The client's address; stored only as a keyed hash. */
  address: string
  correlationId: string
}

/** Missing sign-in, missing permission, and too many attempts. */
const refusalStatuses = new Set([401, 403, 429])

/**
 * Reports refused requests. A 404 counts where the path names a record: unknown ids and those of another practice get
 * the same reply. `report` must neither wait nor throw.
 */
export const reportRefusals =
  (report: (refusal: Refusal) => void): Middleware =>
  async (ctx, next) => {
    await next()
    const { route = null, problemCode: code, correlationId } = ctx.state as State
    const namesRecord = route?.includes('/:') ?? false
    if (code === undefined || !(refusalStatuses.has(ctx.status) || (ctx.status === 404 && namesRecord))) return
    const caller = (ctx.state.caller as Caller | undefined) ?? null
    report({ caller, method: ctx.method, route, status: ctx.status, code, address: ctx.ip, correlationId })
  }

type State = { route?: string; problemCode?: string; correlationId: string }
