import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import type { FluentIcon } from '@fluentui/react-icons'
import type { ReactNode } from 'react'

const useStyles = makeStyles({
  box: {
    display: 'grid',
    gridTemplateColumns: '20px minmax(0, 1fr)',
    columnGap: '12px',
    padding: '12px 16px',
    borderRadius: tokens.borderRadiusLarge,
    border: '1px solid transparent',
  },
  waiting: {
    backgroundColor: tokens.colorStatusWarningBackground1,
    border: `1px solid ${tokens.colorStatusWarningBorder1}`,
  },
  good: {
    backgroundColor: tokens.colorStatusSuccessBackground1,
    border: `1px solid ${tokens.colorStatusSuccessBorder1}`,
  },
  bad: { backgroundColor: tokens.colorStatusDangerBackground1, border: `1px solid ${tokens.colorStatusDangerBorder1}` },
  plain: { backgroundColor: tokens.colorNeutralBackground2, border: `1px solid ${tokens.colorNeutralStroke2}` },
  textWaiting: { color: tokens.colorStatusWarningForeground1 },
  textGood: { color: tokens.colorStatusSuccessForeground1 },
  textBad: { color: tokens.colorStatusDangerForeground1 },
  textPlain: { color: tokens.colorNeutralForeground1 },
  icon: { paddingTop: '1px', fontSize: '20px' },
  content: { display: 'grid', rowGap: '2px', minWidth: 0 },
  title: { fontWeight: tokens.fontWeightSemibold },
  actions: {
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '8px',
    rowGap: '8px',
    marginTop: '8px',
    alignItems: 'center',
  },
})

export type NoticeTone = 'waiting' | 'good' | 'bad' | 'plain'
const textClasses = { waiting: 'textWaiting', good: 'textGood', bad: 'textBad', plain: 'textPlain' } as const

type NoticeProps = {
  tone: NoticeTone
  icon: FluentIcon
  title: string
  children?: ReactNode
  actions?: ReactNode
  className?: string
  role?: 'alert' | 'status' | 'note'
}

/** Message within a screen, with optional actions. Tone `waiting` (amber) asks for a decision, `bad` (red) reports an error. */
export function Notice({ tone, icon: Icon, title, children, actions, className, role = 'note' }: NoticeProps) {
  const styles = useStyles()
  return (
    <div className={mergeClasses(styles.box, styles[tone], className)} role={role}>
      <Icon className={mergeClasses(styles.icon, styles[textClasses[tone]])} aria-hidden />
      <div className={styles.content}>
        <Text className={mergeClasses(styles.title, styles[textClasses[tone]])}>{title}</Text>
        {children}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  )
}
