/** An item of an order as it is typed. */
export type TypedItem = { name: string; quantity: string; price: string; received: string }

type Item = { name: string; quantity: number; unitPriceCents: number; receivedQuantity: number }

const centsPerUnit = 100

/** Returns a price in cents as it is typed. */
export const toPriceText = (cents: number): string => (cents / centsPerUnit).toFixed(2)

/** Returns a typed price in cents, with the fraction of a cent that the contract refuses; undefined when it cannot be read. */
export function parsePrice(text: string): number | undefined {
  const price = toNumber(text)
  return price === undefined ? undefined : Math.round(price * centsPerUnit * 1e6) / 1e6
}

/** An item that is not typed yet. */
export const blankItem: TypedItem = { name: '', quantity: '1', price: '', received: '0' }

/** Returns the typed items of the one text that a form keeps of them. */
export const readItems = (text: string): TypedItem[] => (text === '' ? [blankItem] : (JSON.parse(text) as TypedItem[]))

/** Returns the text that a form keeps of typed items. */
export const writeItems = (items: readonly TypedItem[]): string => JSON.stringify(items)

/** Returns the text of stored items. */
export const toItemsText = (items: readonly Item[]): string =>
  writeItems(
    items.map(({ name, quantity, unitPriceCents, receivedQuantity }) => ({
      name,
      quantity: String(quantity),
      price: toPriceText(unitPriceCents),
      received: String(receivedQuantity),
    })),
  )

/** Returns typed items in the shape of the contract. A number that cannot be read is left out, so that the contract says so. */
export const parseItems = (text: string): Partial<Item>[] =>
  readItems(text).map(({ name, quantity, price, received }) => {
    return {
      name,
      ...omitMissing('quantity', toNumber(quantity)),
      ...omitMissing('unitPriceCents', parsePrice(price)),
      receivedQuantity: toNumber(received) ?? 0,
    }
  })

function toNumber(text: string): number | undefined {
  const number = Number(text)
  return text.trim() === '' || Number.isNaN(number) ? undefined : number
}

const omitMissing = <Name extends string>(name: Name, value: number | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, number>>
