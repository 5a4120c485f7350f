import { makeStyles } from '@fluentui/react-components'
import type { ReactElement } from 'react'
import type { Control } from 'react-hook-form'
import { CardField } from './card-field.tsx'
import { formatCardNumber, formatCvc, formatExpiry } from './card-format.ts'
import type { CardValues } from './card-values.ts'

/** Styles of the two-column grid that contains the card fields. */
export const useCardGridStyles = makeStyles({
  grid: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '16px',
    rowGap: '16px',
    alignItems: 'start',
    '& .fui-Field': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& .fui-Input': { minWidth: 0 },
  },
  wide: { gridColumnStart: 1, gridColumnEnd: -1 },
})

type CardFieldsProps = { control: Control<CardValues>; icon?: ReactElement; numberPlaceholder?: string }

/** Card number, expiry date and security code. */
export function CardFields({ control, icon, numberPlaceholder }: CardFieldsProps) {
  const styles = useCardGridStyles()
  return (
    <>
      <CardField
        control={control}
        name="cardNumber"
        label="Card number"
        autoComplete="cc-number"
        format={formatCardNumber}
        className={styles.wide}
        {...(numberPlaceholder ? { placeholder: numberPlaceholder } : {})}
        {...(icon ? { icon } : {})}
        autoFocus
      />
      <CardField
        control={control}
        name="expiry"
        label="Expires"
        placeholder="MM / YY"
        autoComplete="cc-exp"
        format={formatExpiry}
      />
      <CardField
        control={control}
        name="cvc"
        label="Security code"
        placeholder="CVC"
        autoComplete="cc-csc"
        format={formatCvc}
      />
    </>
  )
}
