import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PracticeId, ProviderId, UserId } from './values/ids.ts'
import { line, optionalLine } from './values/text.ts'

/** The colours a provider's appointments can wear; the web maps them to its own tokens in both themes. */
export const ProviderColour = z.enum(['teal', 'blue', 'purple', 'pink', 'red', 'orange', 'gold', 'green'], {
  error: 'Please choose a color',
})
export type ProviderColour = z.infer<typeof ProviderColour>

const fields = {
  name: line(100).pipe(z.string().min(1, 'Please enter a name')),
  /** As on the door: "MD", "Nurse practitioner". */
  title: optionalLine(60),
  colour: ProviderColour,
}

/** Somebody who sees patients. `userId` is their login, when they have one. */
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

/** Without a colour, the first one that nobody wears. */
export const NewProvider = z.strictObject({
  name: fields.name,
  title: fields.title.default(null),
  colour: fields.colour.optional(),
})
export type NewProvider = z.output<typeof NewProvider>

/** Only what changes; `revision` is the one the change was made on. */
export const ProviderChange = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  active: z.boolean().optional(),
  revision: z.number().int().min(0).optional(),
})
export type ProviderChange = z.output<typeof ProviderChange>

/** Everybody, in the order in which they came; those who left have `active: false`. The owner is the first. */
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
 * 409 `upcoming-appointments` with `appointments` (how many) and `next` (the instant of the first) when somebody with coming appointments is
 * deactivated; 409 `last-provider`; 409 `changed-meanwhile` when `revision` is stale.
 */
export const changeProvider = endpoint({
  method: 'PATCH',
  path: '/api/providers/:providerId',
  access: { permission: 'settings' },
  params: z.object({ providerId: ProviderId }),
  body: ProviderChange,
  reply: Provider,
})
