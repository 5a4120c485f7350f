import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    textAlign: 'center',
    rowGap: tokens.spacingVerticalM,
    padding: '64px 24px 72px',
  },
  compact: { rowGap: tokens.spacingVerticalS, padding: '12px 0' },
  ring: {
    width: '64px',
    height: '64px',
    borderRadius: tokens.borderRadiusCircular,
    display: 'grid',
    placeItems: 'center',
    fontSize: '28px',
    color: tokens.colorBrandForeground1,
    backgroundColor: tokens.colorBrandBackground2,
  },
  smallRing: { width: '40px', height: '40px', fontSize: '20px' },
  failed: { color: tokens.colorStatusDangerForeground1, backgroundColor: tokens.colorStatusDangerBackground1 },
  text: { display: 'flex', flexDirection: 'column', rowGap: tokens.spacingVerticalXS, maxWidth: '420px' },
  hint: { color: tokens.colorNeutralForeground3 },
})

type StateFrameProps = {
  role: 'status' | 'alert'
  icon: ReactNode
  title: string
  hint?: string
  /** Smaller, inside other content. */
  isCompact?: boolean
  children?: ReactNode
}

/** Empty or error state of part of a screen: icon, sentence, hint, actions. */
export function StateFrame({ role, icon, title, hint, isCompact = false, children }: StateFrameProps) {
  const styles = useStyles()
  return (
    <div className={mergeClasses(styles.root, isCompact && styles.compact)} role={role}>
      <span className={mergeClasses(styles.ring, isCompact && styles.smallRing, role === 'alert' && styles.failed)}>
        {icon}
      </span>
      <span className={styles.text}>
        <Text size={isCompact ? 300 : 400} weight="semibold" align="center">
          {title}
        </Text>
        {hint && (
          <Text className={styles.hint} align="center">
            {hint}
          </Text>
        )}
      </span>
      {children}
    </div>
  )
}
