import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import { PublicFrame } from './public-frame.tsx'
import { useTabTitle } from './tab-title.ts'

const useStyles = makeStyles({
  box: {
    alignSelf: 'center',
    justifySelf: 'center',
    width: '100%',
    maxWidth: '440px',
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    rowGap: '16px',
  },
  wide: { maxWidth: '560px' },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.02em',
    overflowWrap: 'anywhere',
  },
  intro: { color: tokens.colorNeutralForeground2, overflowWrap: 'anywhere' },
})

type NarrowPageProps = {
  title: string
  /** The title of the tab, if it is another one. */
  tabTitle?: string
  /** One or more paragraphs below the title. */
  intro: string | readonly string[]
  /** An icon above the title. */
  icon?: ReactNode
  isWide?: boolean
  children?: ReactNode
}

/** Narrow page of people who are not signed in, or not yet ready to work: a title, a few sentences, and a form or a message. */
export function NarrowPage({ title, tabTitle = title, intro, icon, isWide = false, children }: NarrowPageProps) {
  const styles = useStyles()
  useTabTitle(tabTitle)
  return (
    <PublicFrame>
      <div className={mergeClasses(styles.box, isWide && styles.wide)}>
        {icon}
        <h1 className={styles.title}>{title}</h1>
        {[intro].flat().map((text) => (
          <Text key={text} className={styles.intro}>
            {text}
          </Text>
        ))}
        {children}
      </div>
    </PublicFrame>
  )
}
