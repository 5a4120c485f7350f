import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { CheckmarkFilled } from '@fluentui/react-icons/svg/checkmark'
import { MailCheckmarkRegular } from '@fluentui/react-icons/svg/mail-checkmark'
import { useEffect } from 'react'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { SupportLink, useSupportEmail } from '#web/entities/accounts/support-contact.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { useLinkStyles } from '#web/ui/link-styles.ts'
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
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', rowGap: '10px' },
  item: { display: 'flex', columnGap: '10px', alignItems: 'flex-start' },
  tick: { color: tokens.colorBrandForeground1, marginTop: '3px', flexShrink: 0 },
  support: { color: tokens.colorNeutralForeground2 },
  actions: { display: 'flex', flexWrap: 'wrap', columnGap: '12px', rowGap: '12px', marginTop: '8px' },
})

/** The next steps of a new user (spec page 1, section 2). */
const suggestions = [
  ['Explore the demo data', 'Sample patients and appointments are there to be changed.'],
  ['Try the AI features', 'The dashboard shows what needs attention, and why.'],
  ['Upgrade when you are ready', 'A plan opens Everchart for your own patients, with 30 days free.'],
] as const

/** First page after registering, with the next steps. */
export function WelcomeScreen() {
  const styles = useStyles()
  const { link } = useLinkStyles()
  const user = useCurrentUser()
  const supportEmail = useSupportEmail()
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
            <Text>
              One email a month, once you have opened the link in the confirmation that we send you. Unsubscribe at any
              time.
            </Text>
          </Notice>
        )}
        <ul className={styles.list}>
          {suggestions.map(([title, text]) => (
            <li key={title} className={styles.item}>
              <CheckmarkFilled className={styles.tick} aria-hidden />
              <Text>
                <b>{title}.</b> {text}
              </Text>
            </li>
          ))}
        </ul>
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
          <LinkButton to="/practice" search={{ tab: 'security' }} size="large" appearance="subtle">
            Account security
          </LinkButton>
        </div>
        <Text className={styles.support}>
          Questions? Read the{' '}
          <a className={link} href="/help">
            help
          </a>
          {supportEmail ? (
            <>
              , or write to <SupportLink email={supportEmail} subject="Support" />.
            </>
          ) : (
            ', or ask the operator of this installation.'
          )}
        </Text>
      </div>
    </PublicFrame>
  )
}
