import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { LinkButton } from '#web/app/link-button.tsx'
import { PublicFrame } from '#web/app/public-frame.tsx'
import { titleOf } from './titles.ts'

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

/** The same honesty for public pages. */
export function ComingPage() {
  const styles = useStyles()
  const title = titleOf(useRouterState({ select: ({ location }) => location.pathname }))
  useEffect(() => {
    document.title = `${title}, Everchart`
  }, [title])
  return (
    <PublicFrame action={<LinkButton to="/auth">Sign In</LinkButton>}>
      <div className={styles.box}>
        <h1 className={styles.title}>{title}</h1>
        <Text className={styles.hint}>
          Coming in the next version. You can create a free account and try what works today.
        </Text>
        <LinkButton to="/auth" search={{ tab: 'register' }} appearance="primary" size="large">
          Create Free Account
        </LinkButton>
      </div>
    </PublicFrame>
  )
}
