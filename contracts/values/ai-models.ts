import { z } from 'zod'

/** The models whose name the record of an analysis may hold; `other` is any other one, such as a model of the installation's own. */
export const ModelName = z.enum([
  'gpt-5',
  'gpt-5-mini',
  'gpt-5-nano',
  'gpt-4.1',
  'gpt-4.1-mini',
  'gpt-4.1-nano',
  'gpt-4o',
  'gpt-4o-mini',
  'other',
])
export type ModelName = z.infer<typeof ModelName>

/** Returns the name of a configured model as records hold it. */
export const toModelName = (model: string): ModelName => {
  const known = ModelName.safeParse(model)
  return known.success ? known.data : 'other'
}

/** Units of a cost in one dollar: costs are whole ten-thousandths of a US dollar. */
export const costUnitsPerDollar = 10_000

/** Formats a cost in ten-thousandths of a US dollar as a decimal number of dollars, such as "0.0075". */
export const formatCost = (cost: number): string => (cost / costUnitsPerDollar).toFixed(4)
