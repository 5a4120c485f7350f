import { Link, makeStyles, Text, tokens } from '@fluentui/react-components'
import { DocumentPdfRegular } from '@fluentui/react-icons/svg/document-pdf'
import { sandboxInvoice, type SandboxBill } from '#contracts/billing-sandbox.ts'
import { buildUrl } from '#web/api/call.ts'
import { Panel } from '#web/ui/panel.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { formatCents } from '#web/entities/billing/prices.ts'
import { TwoLineCell } from '#web/ui/text.tsx'
import { invoiceBadges, describeInvoice } from './portal-labels.ts'

const small = '@media (max-width: 767px)'

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  row: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) 96px 128px auto',
    alignItems: 'center',
    columnGap: '16px',
    minHeight: '56px',
    padding: '4px 0',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    ':first-child': { borderTop: 'none' },
    [small]: { gridTemplateColumns: 'minmax(0, 1fr) auto', rowGap: '6px', padding: '10px 0' },
  },
  amount: { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
  pdf: { display: 'inline-flex', alignItems: 'center', columnGap: '6px', minHeight: '24px', justifySelf: 'end' },
  empty: { color: tokens.colorNeutralForeground3 },
})

/** Invoices of the practice, newest first, each with a PDF. */
export function PortalInvoices({ invoices }: { invoices: readonly SandboxBill[] }) {
  const styles = useStyles()
  return (
    <Panel title="Invoices">
      {invoices.length === 0 ? (
        <Text className={styles.empty}>No invoices yet. Your first invoice arrives with your first payment.</Text>
      ) : (
        <ul className={styles.list} aria-label="Invoices">
          {invoices.map((invoice) => (
            <li key={invoice.invoiceId} className={styles.row}>
              <TwoLineCell strong wrap top={`Invoice ${invoice.number}`} bottom={describeInvoice(invoice)} />
              <Text className={styles.amount}>{formatCents(invoice.amount)}</Text>
              <span>
                <StatusBadge {...invoiceBadges[invoice.status]} plain />
              </span>
              <Link
                className={styles.pdf}
                href={buildUrl(sandboxInvoice, { params: { invoiceId: invoice.invoiceId } })}
                target="_blank"
                rel="noopener"
                aria-label={`Invoice ${invoice.number} as PDF`}
              >
                <DocumentPdfRegular aria-hidden />
                PDF
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
