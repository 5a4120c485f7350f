import { getPlan } from '#contracts/values/plans.ts'
import type { Invoice } from '#modules/billing/events.ts'
import type { StoredCard } from '#modules/billing/sandbox/events.ts'

/** The content of an invoice. */
export type InvoiceContent = {
  number: number
  invoice: Invoice
  customer: { name: string; email: string }
  card: StoredCard | null
}

const dollars = (cents: number) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
const day = (instant: string) => new Date(instant).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** Strips accents and replaces other letters by question marks: the standard PDF fonts contain Latin letters only. */
const toLatin = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\u0017-\u007E]/g, '?')

const statusTexts = { paid: 'Paid', failed: 'Open: the card was declined', void: 'Void: never paid' } as const

/** Renders an invoice as a one-page PDF file, which states that no money was moved. */
export async function invoicePdf({ number, invoice, customer, card }: InvoiceContent): Promise<Uint8Array> {
  // Imported on demand: the package is a quarter of all files read at start, and most processes render no invoice.
  const { PDFDocument, StandardFonts, rgb } = await import('@cantoo/pdf-lib')
  const document = await PDFDocument.create()
  document.setTitle(`Invoice ${number}`)
  document.setCreator('Everchart')
  const page = document.addPage([612, 792])
  const font = await document.embedFont(StandardFonts.Helvetica)
  const bold = await document.embedFont(StandardFonts.HelveticaBold)
  const left = 72
  let y = 700
  const write = (text: string, { size = 11, strong = false, down = 18 } = {}) => {
    page.drawText(toLatin(text), { x: left, y, size, font: strong ? bold : font, color: rgb(0.1, 0.12, 0.15) })
    y -= down
  }
  write('Everchart', { size: 22, strong: true, down: 34 })
  write(`Invoice ${number}`, { size: 15, strong: true, down: 30 })
  write(`To: ${customer.name}`)
  write(customer.email, { down: 30 })
  write(`${getPlan(invoice.plan).name} plan, ${day(invoice.periodStart)} to ${day(invoice.periodEnd)}`)
  write(`Amount: ${dollars(invoice.amount.cents)}`, { strong: true })
  write(`Status: ${statusTexts[invoice.status]}`)
  if (card && invoice.status === 'paid') write(`Paid with: ${card.brand} ending in ${card.lastFour}`)
  y -= 20
  write('Sandbox: no real card is charged.', { size: 10 })
  return await document.save()
}
