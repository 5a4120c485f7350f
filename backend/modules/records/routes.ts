import { Router } from '@koa/router'
import type { z } from 'zod'
import type { Endpoint } from '#contracts/endpoint.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { formatRecordsCsv, maxExportedRecords } from '#contracts/record-csv.ts'
import type { PatientId, PracticeId } from '#contracts/values/ids.ts'
import { hasPermission, type Permission } from '#contracts/values/roles.ts'
import { fieldError, notFound } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { requirePatient } from '#modules/patients/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { describeHistory, editRecord, type RecordKind, requireRecord } from './change-record.ts'
import type { RecordCommand } from './decider.ts'
import type { FieldsOf, RecordDefinition, RecordId } from './events.ts'
import type { StoredRecord } from './queries.ts'

/** Records that are read at once for a file: each is decrypted. */
const exportPage = 500

type Fields = Record<string, unknown>
type ListQuery = {
  limit: number
  status?: string | undefined
  search?: string | undefined
  patientId?: PatientId | undefined
  cursor?: string | undefined
}
type Call = Endpoint & { access: { permission: string } }

/** The calls of a record, as its contract declares them (`recordEndpoints`). */
type RecordEndpointSet = {
  list: Call & { query: z.ZodType<ListQuery>; reply: z.ZodType }
  exportCsv: Call & { query: z.ZodType<Omit<ListQuery, 'limit' | 'cursor'>>; reply: z.ZodString }
  get: Call & { params: z.ZodType<{ id: string }>; reply: z.ZodType }
  add: Call & { body: z.ZodType; reply: z.ZodType }
  change: Call & { params: z.ZodType<{ id: string }>; body: z.ZodType; reply: z.ZodType }
}

/** A user and the moment of a request. `today` is YYYY-MM-DD in the practice's time zone, `now` an instant in UTC. */
type Occasion = { caller: Member; today: string; now: string }

/** The rules of a noun for its calls. */
type RecordRoutesOptions<D extends RecordDefinition> = RecordKind<D> & {
  endpoints: RecordEndpointSet
  /** Checks the fields after an addition or a change, such as ids of other records; `before` is null for a new one. Throws 404 or 422. */
  check?: (
    services: Services,
    occasion: Occasion,
    fields: FieldsOf<D>,
    patientId: PatientId | null,
    before: FieldsOf<D> | null,
  ) => Promise<void>
  /** Refuses a user what their role does not include. Throws 403. */
  authorize?: (caller: Member, body: Readonly<Fields>, isNew: boolean) => void
  /** Returns fields of a new record that the server knows, such as the user. */
  complete?: (occasion: Occasion, typed: Readonly<Fields>) => Partial<FieldsOf<D>>
  /** Returns data of a status that the server knows, by the name of the field. */
  completeMove?: (occasion: Occasion) => Fields
  /** The fields that a status cannot do without, with the message for each. */
  required?: Readonly<Record<string, readonly (readonly [field: string, message: string])[]>>
  /** Returns what a reply adds to the stored fields of a record. */
  derive?: (record: StoredRecord<D>) => Fields
}

/** Serves the calls of a record: list, also as a file, one with its history, add, and change fields or status. */
export function recordRoutes<D extends RecordDefinition>(services: Services, options: RecordRoutesOptions<D>): Router {
  const { bus, db, clock, newId } = services
  const { endpoints, events, reader, decider, noun } = options
  const { definition } = events
  const router = new Router()

  function createOccasion(caller: Member): Occasion {
    const now = clock()
    return { caller, today: toLocalDate(now, caller.timezone), now: now.toISOString() }
  }

  function toReply(record: StoredRecord<D>): Fields {
    const { firstName, lastName, status, ...rest } = record
    return {
      ...rest,
      patientName: firstName === null ? null : `${firstName} ${lastName}`.trim(),
      patient: firstName === null ? null : { firstName, lastName },
      [definition.statusField]: status,
      ...options.derive?.(record),
    }
  }

  async function requireReply(caller: Member, id: string): Promise<Fields> {
    const found = await reader.find(services, recordScope(caller), id)
    if (!found) throw notFound(noun)
    return toReply(found)
  }

  serve(router, endpoints.list, async ({ caller, query }, { setHeader }) => {
    const member = caller as Member
    const { limit, status, search, patientId, cursor, ...values } = query as ListQuery &
      Record<string, string | boolean>
    const { records, total, next } = await reader.findPage(services, {
      scope: recordScope(member),
      limit,
      status,
      search,
      patientId,
      cursor,
      values,
    })
    setHeader('X-Total-Count', String(total))
    if (next) {
      const params = new URLSearchParams({ cursor: next })
      for (const [name, value] of Object.entries({ limit, status, search, patientId, ...values }))
        if (value !== undefined && value !== '') params.set(name, String(value))
      setHeader('Link', `<${endpoints.list.path}?${params}>; rel="next"`)
    }
    return records.map(toReply)
  })

  serve(router, endpoints.exportCsv, async ({ caller, query }, { setHeader }) => {
    const member = caller as Member
    const {
      status,
      search,
      patientId,
      format: _,
      ...values
    } = query as Omit<ListQuery, 'limit'> & Record<string, string | boolean>
    const asked = { scope: recordScope(member), status, search, patientId, values }
    const records = await findAll((page) => reader.findPage(services, { ...asked, ...page }))
    const { reply, withhold = (all: unknown) => all } = endpoints.list
    const may = (permission: Permission) => hasPermission(member, permission)
    const visible = withhold(reply.parse(records.map(toReply)), may) as Fields[]
    setHeader('Content-Disposition', `attachment; filename="${endpoints.list.path.split('/').at(-1)}.csv"`)
    return formatRecordsCsv((endpoints.list.reply as z.ZodArray<z.ZodObject>).element, visible)
  })

  serve(router, endpoints.get, async ({ caller, params }) => {
    const member = caller as Member
    const reply = await requireReply(member, params.id)
    const { history } = await requireRecord(services, member, options, params.id)
    return { ...reply, history: await describeHistory(services, events, history) }
  })

  serve(router, endpoints.add, async ({ caller, body }, { commandContext }) => {
    const member = caller as Member
    const { patientId = null, ...typed } = body as Fields
    options.authorize?.(member, typed, true)
    const occasion = createOccasion(member)
    if (patientId !== null) await requirePatient(db, member.practiceId, patientId as PatientId)
    const fields = { ...typed, ...options.complete?.(occasion, typed) } as FieldsOf<D>
    await options.check?.(services, occasion, fields, patientId as PatientId | null, null)
    const id = definition.id.schema.parse(newId(noun)) as RecordId<D>
    const command = { type: 'Create', id, practiceId: member.practiceId, patientId, fields } as RecordCommand<D>
    await bus.executeAll(decider, String(id), [{ command, at: occasion.now }], commandContext, { isNew: true })
    return await requireReply(member, String(id))
  })

  serve(router, endpoints.change, async ({ caller, params, body }, { commandContext }) => {
    const member = caller as Member
    const { revision, [definition.statusField]: chosen, ...change } = body as Fields
    const status = chosen as string | undefined
    options.authorize?.(member, body as Fields, false)
    const loaded = await requireRecord(services, member, options, params.id)
    const occasion = createOccasion(member)
    const after = { ...(loaded.state.fields as Fields), ...change }
    await options.check?.(services, occasion, after as FieldsOf<D>, loaded.state.patientId, loaded.state.fields)
    const commands = planChange(options, occasion, { change, after, status, before: loaded.state.status })
    await editRecord(services, options, { loaded, commands, revision: revision as number | undefined }, commandContext)
    return await requireReply(member, params.id)
  })

  return router
}

type PlannedChange = { change: Fields; after: Fields; status: string | undefined; before: string }

/** Returns the commands of a change: its fields, then its status with the data that the status takes from the fields. */
function planChange<D extends RecordDefinition>(
  { events: { definition }, completeMove, required = {}, noun }: RecordRoutesOptions<D>,
  occasion: Occasion,
  { change, after, status, before }: PlannedChange,
): RecordCommand<D>[] {
  const edit = { practiceId: occasion.caller.practiceId as PracticeId, today: occasion.today }
  if (status === undefined || status === before) return [{ type: 'Change', ...edit, change } as RecordCommand<D>]
  const moves = Object.entries(definition.transitions).filter(([, { to }]) => to === status)
  const [event, transition] = moves.find(([, { from }]) => from.includes(before)) ?? moves[0] ?? []
  if (!event || !transition) throw fieldError(definition.statusField, `A ${noun} does not become ${status}.`)
  for (const [field, message] of required[status] ?? [])
    if ((after[field] ?? null) === null || after[field] === '') throw fieldError(field, message)
  const known = { ...after, ...completeMove?.(occasion) }
  const names = Object.keys(transition.data)
  const data = Object.fromEntries(names.map((name) => [name, known[name] ?? null]))
  // What the status takes along is not changed before it.
  const rest = Object.fromEntries(Object.entries(change).filter(([name]) => !names.includes(name)))
  return [
    { type: 'Change', ...edit, change: rest } as RecordCommand<D>,
    { type: 'Move', ...edit, event, data } as RecordCommand<D>,
  ]
}

/** Finds the records of a list, page by page, up to the most that a file holds. */
export async function findAll<Found>(
  findPage: (page: { limit: number; cursor: string | undefined }) => Promise<{
    records: readonly Found[]
    next: string | null
  }>,
): Promise<Found[]> {
  const all: Found[] = []
  for (let cursor: string | undefined; ;) {
    const { records, next } = await findPage({ limit: exportPage, cursor })
    all.push(...records)
    if (next === null || all.length >= maxExportedRecords) return all.slice(0, maxExportedRecords)
    cursor = next
  }
}
