import { expect, it } from 'vitest'
import { z } from 'zod'
import { loadBillingSandbox } from '#main/configure-modules.ts'
import { modules } from '#main/modules.ts'

/** Returns every field of a payload with its schema. */
function listFields(schema: unknown, path: string): [path: string, schema: Record<string, unknown>][] {
  const { properties = {}, items, anyOf = [], oneOf = [], ...rest } = schema as Record<string, never>
  const inside = [
    ...Object.entries(properties as Record<string, unknown>).map(
      ([name, field]) => [`${path}.${name}`, field] as const,
    ),
    ...(items ? [[`${path}[]`, items] as const] : []),
    ...[...(anyOf as unknown[]), ...(oneOf as unknown[])].map((option) => [path, option] as const),
  ]
  return inside.length > 0 ? inside.flatMap(([at, field]) => listFields(field, at)) : [[path, rest]]
}

const sandbox = await loadBillingSandbox('on')
const installed = sandbox ? [...modules, sandbox.module] : modules

it.each(installed.flatMap(({ jobs = [] }) => jobs).map((job) => [job.name, job] as const))(
  '%s has ids, dates, numbers and literals as data, and no text that could name a patient',
  (name, { data }) => {
    for (const [path, field] of listFields(z.toJSONSchema(data, { io: 'input' }), name)) {
      const isFree = field['type'] === 'string' && !('format' in field || 'enum' in field || 'const' in field)
      expect([path, isFree]).toEqual([path, false])
    }
  },
)
