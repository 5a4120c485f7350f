import { createRequire } from 'node:module'
import type * as openai from 'openai'
import type * as helpers from 'openai/helpers/zod'

type Sdk = Pick<typeof openai, 'OpenAI'> & Pick<typeof helpers, 'zodTextFormat'>

let sdk: Sdk | undefined

/** Returns OpenAI's SDK, which is loaded at its first use: its 280 files would prolong the start of every installation. */
export function getModelSdk(): Sdk {
  const require = createRequire(import.meta.url)
  sdk ??= {
    OpenAI: (require('openai') as typeof openai).OpenAI,
    zodTextFormat: (require('openai/helpers/zod') as typeof helpers).zodTextFormat,
  }
  return sdk
}
