import { BoxRegular } from '@fluentui/react-icons/svg/box'
import { BoxCheckmarkRegular } from '@fluentui/react-icons/svg/box-checkmark'
import { CartRegular } from '@fluentui/react-icons/svg/cart'
import { DismissCircleRegular } from '@fluentui/react-icons/svg/dismiss-circle'
import * as contract from '#contracts/supply-orders.ts'
import { formatCents } from '#web/entities/billing/prices.ts'
import { getStatus, type RecordKind } from '#web/entities/records/record-kind.ts'
import { formatDate } from '#web/ui/dates.ts'
import { formatCount } from '#web/ui/format.ts'

/** Orders of medical supplies. */
export const orders: RecordKind = {
  key: 'supply-orders',
  title: 'Supply Orders',
  singular: 'order',
  plural: 'orders',
  add: 'New Order',
  icon: BoxRegular,
  emptyHint: 'Enter an order to know what is on its way and what has arrived.',
  searchHint: 'Search by supplier or number...',
  endpoints: {
    list: contract.listSupplyOrders,
    exportCsv: contract.exportSupplyOrders,
    get: contract.getSupplyOrder,
    add: contract.addSupplyOrder,
    change: contract.changeSupplyOrder,
  },
  schemas: { add: contract.NewSupplyOrder, change: contract.SupplyOrderChange },
  patient: 'none',
  permissions: { read: 'scheduling', write: 'scheduling' },
  statusField: 'orderStatus',
  statuses: {
    pending: { label: 'Pending', badge: 'pending' },
    ordered: { label: 'Ordered', badge: 'sent' },
    delivered: { label: 'Delivered', badge: 'completed' },
    cancelled: { label: 'Cancelled', badge: 'cancelled' },
  },
  filters: [],
  fields: [
    { name: 'supplierName', label: 'Supplier', kind: 'line', required: true, maxLength: 200 },
    { name: 'orderNumber', label: 'Order number', kind: 'line', maxLength: 100 },
    { name: 'orderItems', label: 'Items', kind: 'items' },
    { name: 'expectedDelivery', label: 'Expected delivery', kind: 'date' },
    { name: 'trackingNumber', label: 'Tracking number', kind: 'line', maxLength: 100 },
    { name: 'notes', label: 'Notes', kind: 'text', maxLength: 2_000 },
  ],
  moves: [
    { status: 'ordered', from: ['pending'], label: 'Mark ordered', icon: CartRegular },
    { status: 'delivered', from: ['ordered'], label: 'Mark delivered', icon: BoxCheckmarkRegular },
    { status: 'cancelled', from: ['pending', 'ordered'], label: 'Cancel order', icon: DismissCircleRegular },
  ],
  describe: (row) => String(row['supplierName']),
  detail: (row) => formatCount((row['orderItems'] as readonly unknown[]).length, 'item'),
  columns: [
    { id: 'number', header: 'Number', tight: 'hidden', renderCell: (row) => String(row['orderNumber'] ?? '-') },
    {
      id: 'total',
      header: 'Total',
      width: '124px',
      renderCell: (row) => formatCents(Number(row['totalCents'])),
    },
    {
      id: 'expected',
      header: 'Expected',
      width: '124px',
      renderCell: (row) => (row['expectedDelivery'] ? formatDate(String(row['expectedDelivery'])) : '-'),
    },
  ],
  facts: (row) => [
    ['Total', formatCents(Number(row['totalCents']))],
    ['Proposed by', row['isAutomatic'] === true ? 'Everchart, because little was left' : null],
    ['Ordered', row['orderedOn'] ? formatDate(String(row['orderedOn'])) : null],
    ['Delivered', row['deliveredOn'] ? formatDate(String(row['deliveredOn'])) : null],
  ],
  isEditable: (row) => getStatus(orders, row) !== 'cancelled',
}
