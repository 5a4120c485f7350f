import { sql } from 'slonik'

/** Returns SQL text of our own, without values, as a fragment: `sql.fragment` accepts only frozen templates. */
export const sqlText = (text: string): ReturnType<typeof sql.fragment> =>
  sql.fragment(Object.freeze(Object.assign([text], { raw: Object.freeze([text]) })))
