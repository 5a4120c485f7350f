import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PracticeId, ProviderId, UserId } from './values/ids.ts'
import { line, optionalLine } from './values/text.ts'

/** The colors of a provider's appointments; the web maps them to theme tokens. */
export const ProviderColour = z.enum(['teal', 'blue', 'purple', 'pink', 'red', 'orange', 'gold', 'green'], {
  error: 'Please choose a color',
})
export type ProviderColour = z.infer<typeof ProviderColour>

const fields = {
  name: line(100).pipe(z.string().min(1, 'Please enter a name')),
  /** The title, for example "MD" or "Nurse practitioner". */
  title: optionalLine(60),
  colour: ProviderColour,
}

/** A person who sees patients. `userId` is their account, if they have one. */
export const Provider = z.object({
  id: ProviderId,
  practiceId: PracticeId,
  userId: UserId.nullable(),
  name: z.string(),
  title: z.string().nullable(),
  colour: ProviderColour,
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
 * upcoming appointments is deactivated; 409 `last-provider`; 409 `changed-meanwhile` when `revision` is stale.
 */
export const changeProvider = endpoint({
  method: 'PATCH',
  path: '/api/providers/:providerId',
  access: { permission: 'settings' },
  params: z.object({ providerId: ProviderId }),
  body: ProviderChange,
  reply: Provider,
})
