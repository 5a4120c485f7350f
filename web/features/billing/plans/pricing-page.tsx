import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { PriceList } from '#web/entities/billing/price-list.tsx'
import { PublicFrame } from '#web/ui/public-frame.tsx'
import { BillingQuestions } from './billing-questions.tsx'

const phone = '@media (max-width: 639px)'

const useStyles = makeStyles({
  page: {
    width: '100%',
    maxWidth: '1136px',
    justifySelf: 'center',
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    rowGap: '72px',
    padding: '40px 0 24px',
    [phone]: { padding: '16px 0', rowGap: '56px' },
  },
  head: { display: 'grid', rowGap: '12px', marginBottom: '32px' },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeHero1000,
    lineHeight: '1.1',
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.03em',
    textWrap: 'balance',
    [phone]: { fontSize: tokens.fontSizeHero800 },
  },
  intro: {
    maxWidth: '60ch',
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    [phone]: { fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  },
  split: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 4fr) minmax(0, 8fr)',
    columnGap: '48px',
    rowGap: '20px',
    '@media (max-width: 959px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  section: {
    margin: 0,
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.02em',
  },
  callToAction: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: '32px',
    rowGap: '20px',
    padding: '32px',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorBrandBackground2,
    [phone]: { padding: '24px' },
  },
  text: { display: 'grid', rowGap: '4px' },
  actions: { display: 'flex', flexWrap: 'wrap', columnGap: '12px', rowGap: '12px' },
})

/** `/pricing`: public prices. */
export function PricingPage() {
  const styles = useStyles()
  const { data: user } = useQuery(currentUserQuery)
  useEffect(() => {
    document.title = 'Pricing, Everchart'
  }, [])
  return (
    <PublicFrame
      action={user ? <LinkButton to="/">Dashboard</LinkButton> : <LinkButton to="/auth">Sign In</LinkButton>}
    >
      <div className={styles.page}>
        <div>
          <div className={styles.head}>
            <h1 className={styles.title}>Simple pricing</h1>
            <Text className={styles.intro}>
              One price for the whole practice, not per user. Try everything for 30 days, with a 30-day money-back
              guarantee after that.
            </Text>
          </div>
          <PriceList heading="h2" />
        </div>
        <section className={styles.split} aria-labelledby="questions">
          <h2 id="questions" className={styles.section}>
            Good to know
          </h2>
          <BillingQuestions heading="h3" />
        </section>
        {!user && (
          <section className={styles.callToAction} aria-labelledby="look-first">
            <div className={styles.text}>
              <h2 id="look-first" className={styles.section}>
                Try it first
              </h2>
              <Text>Sample patients are included. No card required.</Text>
            </div>
            <div className={styles.actions}>
              <LinkButton to="/auth" search={{ tab: 'register' }} size="large">
                Create Free Account
              </LinkButton>
              <LinkButton to="/demo" size="large">
                View Live Demo
              </LinkButton>
            </div>
          </section>
        )}
      </div>
    </PublicFrame>
  )
}
