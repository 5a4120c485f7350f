import { makeStyles, tokens } from '@fluentui/react-components'
import { formatCents } from '#web/entities/billing/prices.ts'
import type { RecordRow } from './record-kind.ts'

type Item = { name: string; quantity: number; unitPriceCents: number; receivedQuantity: number }

const useStyles = makeStyles({
  table: {
    width: '100%',
    marginTop: '12px',
    borderCollapse: 'collapse',
    fontVariantNumeric: 'tabular-nums',
    '& th': {
      fontSize: tokens.fontSizeBase200,
      fontWeight: tokens.fontWeightRegular,
      color: tokens.colorNeutralForeground3,
      textAlign: 'left',
    },
    '& td, & th': { padding: '6px 8px 6px 0', borderBottom: `1px solid ${tokens.colorNeutralStroke3}` },
    '& td': { overflowWrap: 'anywhere' },
  },
})

/** The items of an order, with what has arrived of each. */
export function OrderItems({ row }: { row: RecordRow }) {
  const styles = useStyles()
  const items = row['orderItems'] as readonly Item[]
  return (
    <table className={styles.table} aria-label="Items">
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Received</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ name, quantity, unitPriceCents, receivedQuantity }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- items have no id
          <tr key={index}>
            <td>{name}</td>
            <td>
              {receivedQuantity} of {quantity}
            </td>
            <td>{formatCents(unitPriceCents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
