import { Button, Field, Input, makeStyles, tokens } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { DeleteRegular } from '@fluentui/react-icons/svg/delete'
import { type Control, useController } from 'react-hook-form'
import { blankItem, readItems, type TypedItem, writeItems } from './order-items.ts'
import type { RecordValues } from './record-values.ts'

const useStyles = makeStyles({
  list: { display: 'grid', rowGap: '10px', listStyleType: 'none', margin: 0, padding: 0 },
  item: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) 76px 96px 76px 32px',
    columnGap: '8px',
    rowGap: '6px',
    alignItems: 'end',
    '@media (max-width: 639px)': {
      gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr) minmax(0, 1fr) 32px',
      paddingBottom: '10px',
      borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
      '> :first-child': { gridColumn: '1 / -1' },
    },
    '& .fui-Input': { minWidth: 0 },
    '& input': { minWidth: 0 },
  },
  add: { justifySelf: 'start', marginTop: '8px' },
})

type ItemsFieldProps = { control: Control<RecordValues>; name: string; label: string }

/** The items of an order: name, quantity, price of one, and what has arrived. */
export function ItemsField({ control, name, label }: ItemsFieldProps) {
  const styles = useStyles()
  const { field, fieldState } = useController({ control, name })
  const items = readItems(field.value)
  const change = (index: number, part: Partial<TypedItem>) =>
    field.onChange(writeItems(items.map((item, at) => (at === index ? { ...item, ...part } : item))))
  return (
    <Field label={label} required validationMessage={fieldState.error?.message}>
      <div>
        <ul className={styles.list} aria-label={label}>
          {items.map((item, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- items have no id, and move only when one is removed
            <li key={index} className={styles.item}>
              <Part label="Item" at={index} value={item.name} onChange={(text) => change(index, { name: text })} />
              <Part
                label="Quantity"
                at={index}
                value={item.quantity}
                numeric
                onChange={(quantity) => change(index, { quantity })}
              />
              <Part
                label="Price"
                at={index}
                value={item.price}
                numeric
                onChange={(price) => change(index, { price })}
              />
              <Part
                label="Received"
                at={index}
                value={item.received}
                numeric
                onChange={(received) => change(index, { received })}
              />
              <Button
                appearance="subtle"
                icon={<DeleteRegular />}
                aria-label={`Remove item ${index + 1}`}
                disabled={items.length === 1}
                onClick={() => field.onChange(writeItems(items.filter((_, at) => at !== index)))}
              />
            </li>
          ))}
        </ul>
        <Button
          size="small"
          className={styles.add}
          icon={<AddRegular />}
          onClick={() => field.onChange(writeItems([...items, blankItem]))}
        >
          Add item
        </Button>
      </div>
    </Field>
  )
}

type PartProps = { label: string; at: number; value: string; numeric?: boolean; onChange: (text: string) => void }

function Part({ label, at, value, numeric = false, onChange }: PartProps) {
  return (
    <Field label={label} size="small">
      <Input
        size="medium"
        aria-label={`${label} of item ${at + 1}`}
        inputMode={numeric ? 'decimal' : 'text'}
        autoComplete="off"
        value={value}
        onChange={(_, { value: text }) => onChange(text)}
      />
    </Field>
  )
}
