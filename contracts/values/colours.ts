import { z } from 'zod'

/** The colors of providers and of appointment types; the web maps them to theme tokens. */
export const Colour = z.enum(['teal', 'blue', 'purple', 'pink', 'red', 'orange', 'gold', 'green'], {
  error: 'Please choose a color',
})
export type Colour = z.infer<typeof Colour>
