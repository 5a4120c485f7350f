import type { OpenAI } from 'openai'
import type { z } from 'zod'
import { vendorTestTimeoutMs } from '#database/vendor-log.ts'
import type { ModelSettings } from '../settings.ts'
import { getModelSdk } from './sdk.ts'

/** A question to a model, whose reply has the shape of a schema. */
export type Question<Output> = { instructions: string; input: string; name: string; schema: z.ZodType<Output> }

/**
 * The reply to a question. `output` is null with the `reason`, a code without data, such as `http-429`, `no-reply`, `refused`,
 * `incomplete` or `invalid-reply`. Tokens are charged also without an output.
 */
export type ModelReply<Output> = { tokens: { input: number; output: number } } & (
  | { output: Output; reason: null }
  | { output: null; reason: string }
)

/** Milliseconds for one attempt. */
const timeoutMs = 30_000
/** Further attempts after a time-out, a lost connection, 429 or 5xx: the SDK waits between them, with jitter, as long as a 429 asks for. */
const maxRetries = 2
/** The longest reply, with what the model thinks before it, in tokens. */
const maxOutputTokens = 8_000

const clients = new WeakMap<ModelSettings, OpenAI>()

/** Returns the one client of the process, which pools its connections. */
function getClient(settings: ModelSettings): OpenAI {
  const { apiKey, baseUrl } = settings
  const known = clients.get(settings)
  // The SDK would take missing options from the environment.
  const client =
    known ??
    new (getModelSdk().OpenAI)({
      apiKey,
      baseURL: baseUrl ?? 'https://api.openai.com/v1',
      organization: null,
      project: null,
      timeout: timeoutMs,
      maxRetries,
      logLevel: 'off',
    })
  clients.set(settings, client)
  return client
}

/** Returns the code of an error of the SDK, whose message may quote what was sent. */
function toReason(error: unknown): string {
  const { APIError, APIUserAbortError } = getModelSdk().OpenAI
  if (error instanceof APIUserAbortError) return 'stopped'
  if (!(error instanceof APIError)) return 'invalid-reply'
  return error.status === undefined ? 'no-reply' : `http-${error.status}`
}

/** Models that think before they reply do so briefly: a form is to be analyzed within seconds. */
const isReasoning = (model: string) => /^(gpt-5|o\d)/.test(model)

/**
 * Asks a model. It has no tools, keeps nothing, and its reply is data. Never throws: a reply that does not come, or cannot be
 * used, has its reason.
 */
export async function askModel<Output>(
  settings: ModelSettings,
  { instructions, input, name, schema }: Question<Output>,
  signal: AbortSignal,
): Promise<ModelReply<Output>> {
  const { model } = settings
  let tokens = { input: 0, output: 0 }
  try {
    const response = await getClient(settings).responses.create(
      {
        model,
        instructions,
        input,
        store: false,
        max_output_tokens: maxOutputTokens,
        text: { format: getModelSdk().zodTextFormat(schema, name) },
        ...(isReasoning(model) ? { reasoning: { effort: 'low' as const } } : {}),
      },
      { signal },
    )
    tokens = { input: response.usage?.input_tokens ?? 0, output: response.usage?.output_tokens ?? 0 }
    if (response.status === 'incomplete') return { output: null, reason: 'incomplete', tokens }
    const parts = response.output.flatMap((item) => (item.type === 'message' ? item.content : []))
    if (parts.some(({ type }) => type === 'refusal')) return { output: null, reason: 'refused', tokens }
    const text = parts.map((part) => (part.type === 'output_text' ? part.text : '')).join('')
    return { output: schema.parse(JSON.parse(text)), reason: null, tokens }
  } catch (error) {
    return { output: null, reason: toReason(error), tokens }
  }
}

/** Asks the vendor for the configured model, with the key that questions use. Costs nothing. Returns the code of the error; null when it has it. */
export async function testModel(settings: ModelSettings): Promise<string | null> {
  return await getClient(settings)
    .models.retrieve(settings.model, { timeout: vendorTestTimeoutMs, maxRetries: 0 })
    .then(() => null, toReason)
}
