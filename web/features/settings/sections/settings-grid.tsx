import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'

const useStyles = makeStyles({
  grid: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 7fr) minmax(0, 5fr)',
    columnGap: '16px',
    rowGap: '16px',
    alignItems: 'start',
    ':not(:first-child)': { marginTop: '16px' },
    '@media (max-width: 1151px)': { gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '12px' },
    '@media (max-width: 767px)': { ':not(:first-child)': { marginTop: '12px' } },
  },
  column: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    rowGap: '16px',
    '@media (max-width: 767px)': { rowGap: '12px' },
  },
  fields: {
    margin: 0,
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '16px',
    rowGap: '16px',
    alignItems: 'start',
    '& .fui-Field': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& .fui-Input': { minWidth: 0 },
    '& .fui-Field.wide': { gridColumn: '1 / -1' },
    '@media (max-width: 639px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  row: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    alignItems: 'center',
    columnGap: '16px',
    minHeight: '56px',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    ':first-child': { borderTop: 'none' },
  },
  foot: {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'flex-end',
    alignItems: 'center',
    columnGap: '8px',
    rowGap: '8px',
    marginTop: '16px',
  },
})

/** Two columns, or one on narrow screens. */
export function SettingsGrid({ children }: { children: ReactNode }) {
  return <div className={useStyles().grid}>{children}</div>
}

export function SettingsColumn({ children }: { children: ReactNode }) {
  return <div className={useStyles().column}>{children}</div>
}

/** Fields side by side where there is room; `as="dl"` for read-only values. */
export function SettingsFields({ children, as: Element = 'div' }: { children: ReactNode; as?: 'div' | 'dl' }) {
  return <Element className={useStyles().fields}>{children}</Element>
}

export function SettingsList({ children, label }: { children: ReactNode; label: string }) {
  return (
    <ul className={useStyles().list} aria-label={label}>
      {children}
    </ul>
  )
}

/** List row: content on the left, actions on the right. */
export function SettingsRow({ children, className }: { children: ReactNode; className?: string }) {
  return <li className={mergeClasses(useStyles().row, className)}>{children}</li>
}

/** Buttons at the end of a section's form. */
export function SettingsFooter({ children }: { children: ReactNode }) {
  return <div className={useStyles().foot}>{children}</div>
}
