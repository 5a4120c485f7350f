import { ArchiveRegular } from '@fluentui/react-icons/svg/archive'
import { ArrowUndoRegular } from '@fluentui/react-icons/svg/arrow-undo'
import { BoxMultipleRegular } from '@fluentui/react-icons/svg/box-multiple'
import * as contract from '#contracts/stock-items.ts'
import { formatCents } from '#web/entities/billing/prices.ts'
import { getStatus, type RecordKind } from '#web/entities/records/record-kind.ts'

/** The medical supplies that the practice keeps. */
export const stock: RecordKind = {
  key: 'stock-items',
  title: 'Stock',
  singular: 'item',
  plural: 'items',
  add: 'New Item',
  icon: BoxMultipleRegular,
  emptyHint: 'Enter what you keep: when little is left, an order is proposed.',
  searchHint: 'Search by item or supplier...',
  endpoints: {
    list: contract.listStockItems,
    exportCsv: contract.exportStockItems,
    get: contract.getStockItem,
    add: contract.addStockItem,
    change: contract.changeStockItem,
  },
  schemas: { add: contract.NewStockItem, change: contract.StockItemChange },
  patient: 'none',
  permissions: { read: 'scheduling', write: 'scheduling' },
  statusField: 'itemStatus',
  statuses: {
    active: { label: 'Active', badge: 'active' },
    retired: { label: 'Retired', badge: 'cancelled' },
  },
  filters: [],
  fields: [
    { name: 'name', label: 'Item', kind: 'line', required: true, maxLength: 200 },
    { name: 'supplierName', label: 'Supplier', kind: 'line', required: true, maxLength: 200 },
    { name: 'quantityOnHand', label: 'On hand', kind: 'number', required: true, initial: '0' },
    { name: 'reorderThreshold', label: 'Order at', kind: 'number', required: true, hint: 'This many left, or fewer' },
    { name: 'reorderQuantity', label: 'Quantity to order', kind: 'number', required: true },
    { name: 'unitPriceCents', label: 'Price of one', kind: 'price', required: true },
    { name: 'autoReorderEnabled', label: 'Propose an order when little is left', kind: 'flag' },
    { name: 'notes', label: 'Notes', kind: 'text', maxLength: 2_000 },
  ],
  moves: [
    { status: 'retired', from: ['active'], label: 'Retire item', icon: ArchiveRegular },
    { status: 'active', from: ['retired'], label: 'Use again', icon: ArrowUndoRegular },
  ],
  describe: (row) => String(row['name']),
  detail: (row) => String(row['supplierName']),
  columns: [
    {
      id: 'left',
      header: 'On hand',
      width: '140px',
      renderCell: (row) => `${String(row['quantityOnHand'])}${row['isLow'] ? ' (low)' : ''}`,
    },
    { id: 'threshold', header: 'Order at', width: '110px', renderCell: (row) => String(row['reorderThreshold']) },
    {
      id: 'price',
      header: 'Price',
      width: '110px',
      tight: 'hidden',
      renderCell: (row) => formatCents(Number(row['unitPriceCents'])),
    },
  ],
  facts: () => [],
  isEditable: (row) => getStatus(stock, row) === 'active',
}
