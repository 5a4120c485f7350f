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
  warning: {
    backgroundColor: tokens.colorStatusWarningBackground1,
    border: `1px solid ${tokens.colorStatusWarningBorder1}`,
  },
  success: {
    backgroundColor: tokens.colorStatusSuccessBackground1,
    border: `1px solid ${tokens.colorStatusSuccessBorder1}`,
  },
  error: {
    backgroundColor: tokens.colorStatusDangerBackground1,
    border: `1px solid ${tokens.colorStatusDangerBorder1}`,
  },
  neutral: { backgroundColor: tokens.colorNeutralBackground2, border: `1px solid ${tokens.colorNeutralStroke2}` },
  textWarning: { color: tokens.colorStatusWarningForeground1 },
  textSuccess: { color: tokens.colorStatusSuccessForeground1 },
  textError: { color: tokens.colorStatusDangerForeground1 },
  textNeutral: { color: tokens.colorNeutralForeground1 },
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

export type NoticeTone = 'warning' | 'success' | 'error' | 'neutral'
const textClasses = {
  warning: 'textWarning',
  success: 'textSuccess',
  error: 'textError',
  neutral: 'textNeutral',
} as const

type NoticeProps = {
  tone: NoticeTone
  icon: FluentIcon
  title: string
  children?: ReactNode
  actions?: ReactNode
  className?: string
  role?: 'alert' | 'status' | 'note'
}

/** Message within a screen, with optional actions. Tone `warning` (amber) asks for a decision, `error` (red) reports an error. */
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
