import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { CheckmarkFilled } from '@fluentui/react-icons/svg/checkmark'
import { useEffect } from 'react'
import { LinkButton } from '#web/ui/link-button.tsx'
import { PriceList } from '#web/entities/billing/price-list.tsx'
import { PublicFrame } from '#web/ui/public-frame.tsx'

const useStyles = makeStyles({
  hero: {
    alignSelf: 'center',
    justifySelf: 'center',
    maxWidth: '680px',
    display: 'grid',
    rowGap: '24px',
    padding: '48px 0',
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeHero1000,
    lineHeight: '1.1',
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.03em',
    textWrap: 'balance',
    '@media (max-width: 639px)': { fontSize: tokens.fontSizeHero800 },
  },
  intro: {
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    color: tokens.colorNeutralForeground2,
  },
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', rowGap: '10px' },
  item: { display: 'flex', columnGap: '10px', alignItems: 'flex-start' },
  tick: { color: tokens.colorBrandForeground1, marginTop: '3px', flexShrink: 0 },
  prices: {
    justifySelf: 'center',
    width: '100%',
    maxWidth: '1136px',
    display: 'grid',
    rowGap: '24px',
    padding: '56px 0 24px',
    scrollMarginTop: '16px',
  },
  section: {
    margin: 0,
    fontSize: tokens.fontSizeHero800,
    lineHeight: tokens.lineHeightHero800,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.02em',
  },
  tools: { display: 'flex', columnGap: '8px' },
  actions: { display: 'flex', flexWrap: 'wrap', columnGap: '12px', rowGap: '12px' },
})

const benefits = [
  'Import the patient list of your old system in minutes, and undo it with one click',
  'Find the right patient in two seconds, even when the name is misspelled',
  'See who changed what, and when: nothing is ever overwritten',
]

/** Public landing page. */
export function LandingPage() {
  const styles = useStyles()
  useEffect(() => {
    document.title = 'Everchart, the record that never forgets'
  }, [])
  return (
    <PublicFrame
      action={
        <div className={styles.tools}>
          <LinkButton to="/pricing" appearance="subtle">
            View Pricing
          </LinkButton>
          <LinkButton to="/auth">Sign In</LinkButton>
        </div>
      }
    >
      <div className={styles.hero}>
        <h1 className={styles.title}>The practice's record that never forgets.</h1>
        <Text className={styles.intro}>
          Everchart runs a medical practice: calm enough for a full waiting room, exact enough for an audit.
        </Text>
        <ul className={styles.list}>
          {benefits.map((claim) => (
            <li key={claim} className={styles.item}>
              <CheckmarkFilled className={styles.tick} aria-hidden />
              {claim}
            </li>
          ))}
        </ul>
        <div className={styles.actions}>
          <LinkButton to="/auth" search={{ tab: 'register' }} appearance="primary" size="large">
            Create Free Account
          </LinkButton>
          <LinkButton to="/demo" size="large">
            View Live Demo
          </LinkButton>
        </div>
      </div>
      <section id="pricing" className={styles.prices} aria-labelledby="prices">
        <h2 id="prices" className={styles.section}>
          Simple pricing
        </h2>
        <PriceList heading="h3" />
      </section>
    </PublicFrame>
  )
}
