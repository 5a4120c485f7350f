import { makeStyles, mergeClasses, Subtitle2, Text, tokens } from '@fluentui/react-components'
import { type ReactNode, useId } from 'react'

const useStyles = makeStyles({
  panel: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    minWidth: 0,
  },
  head: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '8px',
    minHeight: '52px',
    boxSizing: 'border-box',
    padding: '8px 12px 8px 20px',
  },
  title: { margin: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  note: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  push: { marginLeft: 'auto' },
  body: { padding: '0 20px 16px' },
})

type PanelProps = { title: string; note?: ReactNode; action?: ReactNode; className?: string; children: ReactNode }

/** A titled card beside the day. */
export function Panel({ title, note, action, className, children }: PanelProps) {
  const styles = useStyles()
  const id = useId()
  return (
    <section aria-labelledby={id} className={mergeClasses(styles.panel, className)}>
      <div className={styles.head}>
        <Subtitle2 as="h2" id={id} className={styles.title}>
          {title}
        </Subtitle2>
        {note && <Text className={styles.note}>{note}</Text>}
        {action && <div className={styles.push}>{action}</div>}
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  )
}
