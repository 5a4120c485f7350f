import { makeStyles, Text, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import { PublicFrame } from '#web/ui/public-frame.tsx'
import { useTabTitle } from '#web/ui/tab-title.ts'

const useStyles = makeStyles({
  box: {
    alignSelf: 'center',
    justifySelf: 'center',
    width: '100%',
    maxWidth: '400px',
    display: 'grid',
    rowGap: '16px',
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.02em',
  },
  intro: { color: tokens.colorNeutralForeground2 },
})

/** Narrow page for users who cannot sign in: a title, a sentence, and a form or a message. */
export function PasswordPage({ title, intro, children }: { title: string; intro: string; children: ReactNode }) {
  const styles = useStyles()
  useTabTitle(title)
  return (
    <PublicFrame>
      <div className={styles.box}>
        <h1 className={styles.title}>{title}</h1>
        <Text className={styles.intro}>{intro}</Text>
        {children}
      </div>
    </PublicFrame>
  )
}
