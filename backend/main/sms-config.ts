import type { TwilioSettings } from '#sms/twilio.ts'
import { StartError } from '#runtime/start-error.ts'
import { defineVariable, isHttpUrl, parseUrl, text } from './config-variable.ts'

/** The environment variables for text messages. */
export const smsVariables = {
  TWILIO_ACCOUNT_SID: defineVariable({
    defaultValue: '',
    description:
      'The account at Twilio that sends text messages. Without it, they are stored in DATA_DIR/outbox, next to mail.',
    requirement: 'an account SID: AC and 32 hexadecimal digits',
    schema: text.refine((value) => /^AC[0-9a-f]{32}$/i.test(value)).optional(),
  }),
  TWILIO_AUTH_TOKEN: defineVariable({
    defaultValue: '',
    description: 'The auth token of that account; it also proves that a call comes from Twilio.',
    requirement: 'the auth token of the account',
    secret: true,
    schema: text.min(16).optional(),
  }),
  TWILIO_FROM: defineVariable({
    defaultValue: '',
    description: 'The number that texts come from, such as +16175550100, or the SID of a messaging service.',
    requirement: 'a number such as +16175550100, or MG and 32 hexadecimal digits',
    schema: text.refine((value) => /^(\+[1-9]\d{6,14}|MG[0-9a-f]{32})$/i.test(value)).optional(),
  }),
  TWILIO_API_BASE: defineVariable({
    defaultValue: 'https://api.twilio.com',
    description: 'The address of Twilio, for tests.',
    requirement: 'an address such as http://127.0.0.1:4010',
    schema: text
      .refine((value) => {
        const url = parseUrl(value)
        return url !== undefined && isHttpUrl(url) && url.pathname === '/' && url.search === '' && url.hash === ''
      })
      .transform((value) => new URL(value).origin)
      .optional(),
  }),
}

type Values = {
  TWILIO_ACCOUNT_SID?: string | undefined
  TWILIO_AUTH_TOKEN?: string | undefined
  TWILIO_FROM?: string | undefined
  TWILIO_API_BASE?: string | undefined
}

/** Returns the account that sends text messages; null without one. Throws StartError if a part of it is missing. */
export function parseSmsSettings(values: Values): Omit<TwilioSettings, 'statusUrl'> | null {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = values
  if (!accountSid && !authToken && !from) return null
  if (!accountSid || !authToken || !from)
    throw new StartError('TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM must be set together.')
  return { accountSid, authToken, from, apiBase: values.TWILIO_API_BASE ?? null }
}
