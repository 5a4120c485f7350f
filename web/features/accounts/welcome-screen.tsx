import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { MailCheckmarkRegular } from '@fluentui/react-icons/svg/mail-checkmark'
import { useEffect } from 'react'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PublicFrame } from '#web/ui/public-frame.tsx'

const useStyles = makeStyles({
  box: {
    alignSelf: 'center',
    justifySelf: 'center',
    width: '100%',
    maxWidth: '560px',
    display: 'grid',
    rowGap: '16px',
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeHero800,
    lineHeight: tokens.lineHeightHero800,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.02em',
    overflowWrap: 'anywhere',
  },
  intro: {
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
  },
  actions: { display: 'flex', flexWrap: 'wrap', columnGap: '12px', rowGap: '12px', marginTop: '8px' },
})

/** First page after registering, with the next steps. */
export function WelcomeScreen() {
  const styles = useStyles()
  const user = useCurrentUser()
  useEffect(() => {
    document.title = 'Welcome, Everchart'
  }, [])
  return (
    <PublicFrame>
      <div className={styles.box}>
        <h1 className={styles.title}>Welcome, {user?.firstName}!</h1>
        <Text className={styles.intro}>
          Your account is ready. Set up your practice next. It takes about three minutes.
        </Text>
        {user?.newsletterOptIn && (
          <Notice tone="success" icon={MailCheckmarkRegular} title="You are subscribed to our newsletter">
            <Text>One email a month. Unsubscribe at any time.</Text>
          </Notice>
        )}
        <div className={styles.actions}>
          <LinkButton to="/" appearance="primary" size="large">
            Set up your practice
          </LinkButton>
          <LinkButton to="/dashboard" size="large">
            Go to the dashboard
          </LinkButton>
          <LinkButton to="/subscription" size="large" appearance="subtle">
            See the plans
          </LinkButton>
        </div>
      </div>
    </PublicFrame>
  )
}
