import { makeStyles, mergeClasses, Subtitle2, Text, tokens } from '@fluentui/react-components'
import { type ReactNode, useId } from 'react'

const useStyles = makeStyles({
  panel: {
    backgroundColor: tokens.colorNeutralBackground1,
    borderRadius: tokens.borderRadiusXLarge,
    minWidth: 0,
    border: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke2}`,
    display: 'flex',
    flexDirection: 'column',
    '@media print': { display: 'block' },
  },
  head: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalS,
    rowGap: tokens.spacingVerticalXS,
    minHeight: '56px',
    boxSizing: 'border-box',
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalS} ${tokens.spacingHorizontalXL}`,
  },
  title: { margin: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  note: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  alignEnd: { marginLeft: 'auto', display: 'flex', alignItems: 'center', columnGap: tokens.spacingHorizontalXS },
  body: { padding: `0 ${tokens.spacingHorizontalXL} ${tokens.spacingVerticalL}` },
  noPadding: { padding: 0 },
})

type PanelProps = {
  title: string
  note?: ReactNode
  action?: ReactNode
  flush?: boolean
  className?: string | undefined
  children: ReactNode
}

/** Titled card, the only kind in the product: flat, with a hairline border and no shadow. */
export function Panel({ title, note, action, flush, className, children }: PanelProps) {
  const styles = useStyles()
  const id = useId()
  return (
    <section aria-labelledby={id} className={mergeClasses(styles.panel, className)}>
      <div className={styles.head}>
        <Subtitle2 as="h2" id={id} className={styles.title}>
          {title}
        </Subtitle2>
        {note && <Text className={styles.note}>{note}</Text>}
        {action && <div className={styles.alignEnd}>{action}</div>}
      </div>
      <div className={mergeClasses(styles.body, flush && styles.noPadding)}>{children}</div>
    </section>
  )
}
