import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { useEffect } from 'react'
import { LinkButton } from './link-button.tsx'
import { PublicFrame } from './public-frame.tsx'

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

/** Every address that leads nowhere. */
export function NotFound() {
  const styles = useStyles()
  useEffect(() => {
    document.title = '404 Page Not Found, Everchart'
  }, [])
  return (
    <PublicFrame>
      <div className={styles.box}>
        <h1 className={styles.title}>404 Page Not Found</h1>
        <Text className={styles.hint}>This address leads nowhere. Perhaps it was copied incompletely.</Text>
        <LinkButton to="/">Back to the start</LinkButton>
      </div>
    </PublicFrame>
  )
}
