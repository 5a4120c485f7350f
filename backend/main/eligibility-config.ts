import type { ClearinghouseSettings } from '#modules/insurance/eligibility/settings.ts'
import { StartError } from '#runtime/start-error.ts'
import { defineVariable, isHttpUrl, parseUrl, text } from './config-variable.ts'

/** Addresses of this machine, to which nothing travels over a network. */
const localHosts = ['localhost', '127.0.0.1', '[::1]']

/** The environment variables for the clearinghouse that asks insurers. */
export const eligibilityVariables = {
  ELIGIBILITY_URL: defineVariable({
    defaultValue: '',
    description:
      'Connects a clearinghouse, which asks insurers about coverages: an address that takes X12 270 and replies with 271, each as `{ "x12": "…" }`. Without it, people decide.',
    requirement: 'an address such as https://clearinghouse.example/eligibility/x12',
    schema: text
      .refine((value) => {
        const url = parseUrl(value)
        if (!url || !isHttpUrl(url) || url.hash !== '' || url.username !== '') return false
        return url.protocol === 'https:' || localHosts.includes(url.hostname)
      })
      .optional(),
  }),
  ELIGIBILITY_KEY: defineVariable({
    defaultValue: '',
    description: 'The key of the clearinghouse, sent as a bearer token.',
    requirement: 'the key of the clearinghouse',
    secret: true,
    schema: text.min(8).optional(),
  }),
}

type Values = { ELIGIBILITY_URL?: string | undefined; ELIGIBILITY_KEY?: string | undefined }

/** Returns the clearinghouse that is connected; null without one. Throws StartError where one of the two variables is missing. */
export function parseClearinghouseSettings({
  ELIGIBILITY_URL: url,
  ELIGIBILITY_KEY: key,
}: Values): ClearinghouseSettings | null {
  if (!url && !key) return null
  if (!url || !key) throw new StartError('ELIGIBILITY_URL and ELIGIBILITY_KEY must be set together.')
  return { url, key }
}
