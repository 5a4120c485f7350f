import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Colour } from './values/colours.ts'
import { PracticeId, ProviderId, UserId } from './values/ids.ts'
import { line, optionalLine } from './values/text.ts'

const fields = {
  name: line(100).pipe(z.string().min(1, 'Please enter a name')),
  /** The title, for example "MD" or "Nurse practitioner". */
  title: optionalLine(60),
  colour: Colour,
}

/** A person who sees patients. `userId` is their account, if they have one. */
export const Provider = z.object({
  id: ProviderId,
  practiceId: PracticeId,
  userId: UserId.nullable(),
  name: z.string(),
  title: z.string().nullable(),
  colour: Colour,
  active: z.boolean(),
  revision: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Provider = z.infer<typeof Provider>

/** A new provider. The default color is the first one that no active provider has. */
export const NewProvider = z.strictObject({
  name: fields.name,
  title: fields.title.default(null),
  colour: fields.colour.optional(),
})
export type NewProvider = z.output<typeof NewProvider>

/** The changed fields only. `revision` is the revision on which the change is based. */
export const ProviderChange = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  active: z.boolean().optional(),
  revision: z.number().int().min(0).optional(),
})
export type ProviderChange = z.output<typeof ProviderChange>

/** All providers in the order in which they were added, inactive ones included. */
export const listProviders = endpoint({
  method: 'GET',
  path: '/api/providers',
  access: { permission: 'scheduling' },
  reply: z.array(Provider),
})

/**
 * The providers that count against the limit of the plan: active ones, and open invitations that will add one. `max` is null
 * without a limit.
 */
export const ProviderSeats = z.object({
  active: z.number().int(),
  invited: z.number().int(),
  max: z.number().int().nullable(),
})
export type ProviderSeats = z.infer<typeof ProviderSeats>

export const getProviderSeats = endpoint({
  method: 'GET',
  path: '/api/providers/seats',
  access: { permission: 'scheduling' },
  reply: ProviderSeats,
})

/** 402 `plan-limit` with the plan that is needed as `tier` when the plan has no room for one more provider. */
export const addProvider = endpoint({
  method: 'POST',
  path: '/api/providers',
  access: { permission: 'settings' },
  body: NewProvider,
  reply: Provider,
  status: 201,
})

/**
 * 409 `upcoming-appointments` with `appointments` (their number) and `next` (the start of the first) when a provider with
 * upcoming appointments is deactivated; 409 `last-provider`; 409 `changed-meanwhile` when `revision` is stale; 402 `plan-limit`
 * as for a new provider when one is reactivated.
 */
export const changeProvider = endpoint({
  method: 'PATCH',
  path: '/api/providers/:providerId',
  access: { permission: 'settings' },
  params: z.object({ providerId: ProviderId }),
  body: ProviderChange,
  reply: Provider,
})
