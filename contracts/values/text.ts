import { z } from 'zod'

/**
 * Characters that users cannot type and that must not be stored: controls (except tab and line breaks, of which U+0085 is
 * one), U+FFFD, which stands for what could not be read, and unpaired surrogates. They come from corrupt exports and attacks.
 */
// oxlint-disable-next-line no-control-regex
const unstorable =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFFFD]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** Returns whether a text contains none of these characters. */
export const isStorable = (value: string): boolean => !unstorable.test(value)

/** Spaces and characters without a glyph, such as U+200B: a name of these alone would be seen as no name. */
const invisible = /^[\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]*$/u

/**
 * Text a person typed: trimmed, in one Unicode form (NFC), U+0085 as a line break, at most `max` characters. May be empty, as a text of invisible
 * characters is.
 */
export const text = (max: number) =>
  z
    .string({ error: 'Please enter text' })
    // Composed when it is needed: for each field of each contract, it took a phone 150 ms of every load.
    .max(max, { error: () => `At most ${max.toLocaleString('en-US')} characters` })
    .refine(isStorable, 'Contains characters that cannot be stored')
    .transform((value) => (invisible.test(value) ? '' : value.normalize('NFC').replaceAll('\u0085', '\n').trim()))

/** Text on one line; a line break becomes a space. */
export const line = (max: number) => text(max).transform((value) => value.replaceAll(/\s+/gu, ' '))

/** An optional text: `null` or an empty text clears it. */
export const optionalText = (max: number) =>
  text(max)
    .nullable()
    .transform((value) => value || null)

/** An optional text on one line. */
export const optionalLine = (max: number) =>
  line(max)
    .nullable()
    .transform((value) => value || null)
