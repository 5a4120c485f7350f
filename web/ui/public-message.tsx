import { makeStyles, Text, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import { PublicFrame } from './public-frame.tsx'
import { useTabTitle } from './tab-title.ts'

const useStyles = makeStyles({
  box: {
    alignSelf: 'center',
    justifySelf: 'center',
    display: 'grid',
    justifyItems: 'center',
    rowGap: '12px',
    textAlign: 'center',
  },
  title: { margin: 0, fontSize: tokens.fontSizeHero700, lineHeight: tokens.lineHeightHero700 },
  hint: { color: tokens.colorNeutralForeground2, maxWidth: '420px' },
})

type PublicMessageProps = {
  title: string
  hint: string
  /** Main action, below the text. */
  children: ReactNode
}

/** Public page with a single message. */
export function PublicMessage({ title, hint, children }: PublicMessageProps) {
  const styles = useStyles()
  useTabTitle(title)
  return (
    <PublicFrame>
      <div className={styles.box}>
        <h1 className={styles.title}>{title}</h1>
        <Text className={styles.hint}>{hint}</Text>
        {children}
      </div>
    </PublicFrame>
  )
}
