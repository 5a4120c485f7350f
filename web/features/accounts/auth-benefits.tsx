import { FluentProvider, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { CheckmarkFilled } from '@fluentui/react-icons/svg/checkmark'
import { darkTheme } from '#web/theme.ts'
import { plans } from '#contracts/values/plans.ts'

const small = '@media (max-width: 959px)'

const useStyles = makeStyles({
  right: {
    minHeight: '100%',
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorNeutralForeground1,
    position: 'relative',
    overflow: 'hidden',
    display: 'grid',
    alignItems: 'center',
  },
  line: {
    position: 'absolute',
    right: '-230px',
    top: '-210px',
    width: '560px',
    height: '560px',
    color: tokens.colorBrandStroke2,
    opacity: 0.7,
    pointerEvents: 'none',
    [small]: { display: 'none' },
  },
  benefits: {
    position: 'relative',
    padding: '48px 56px',
    display: 'grid',
    rowGap: '40px',
    maxWidth: '760px',
    justifySelf: 'center',
    [small]: { padding: '40px 20px' },
  },
  headline: {
    margin: 0,
    fontSize: tokens.fontSizeHero900,
    lineHeight: '48px',
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.025em',
    maxWidth: '15em',
    textWrap: 'balance',
  },
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    display: 'grid',
    rowGap: '12px',
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    color: tokens.colorNeutralForeground2,
  },
  item: { display: 'flex', columnGap: '12px', alignItems: 'flex-start' },
  tick: { color: tokens.colorBrandForeground1, marginTop: '4px', flexShrink: 0 },
  plans: {
    display: 'grid',
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    columnGap: '12px',
    rowGap: '12px',
    '@media (max-width: 639px)': { gridTemplateColumns: '1fr' },
  },
  plan: {
    padding: '16px',
    borderRadius: tokens.borderRadiusXLarge,
    border: `1px solid ${tokens.colorBrandStroke2}`,
    display: 'grid',
    rowGap: '4px',
    alignContent: 'start',
  },
  popular: { border: `1px solid ${tokens.colorBrandStroke1}` },
  name: {
    display: 'flex',
    justifyContent: 'space-between',
    alignItems: 'baseline',
    fontWeight: tokens.fontWeightSemibold,
  },
  flag: {
    color: tokens.colorBrandForeground1,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
  },
  price: {
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.02em',
  },
  secondary: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
})

const benefits = [
  'The whole clinic day on one screen, phone at your ear or not',
  'Two people cannot take the same slot by accident',
  'Intake forms read and sorted before the patient sits down',
  'A record that shows who did what, who looked, and when',
]

export function AuthBenefits() {
  const styles = useStyles()
  return (
    <FluentProvider theme={darkTheme} className={styles.right}>
      <svg className={styles.line} viewBox="0 0 32 32" fill="none" aria-hidden="true">
        <path
          d="M2 17.5h7.2l2.6-5.6 4.4 10 2.7-4.4H28A11.6 11.6 0 1 0 24.4 25"
          stroke="currentColor"
          strokeWidth="1"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <aside className={styles.benefits} aria-label="What Everchart does">
        <h2 className={styles.headline}>The practice's record that never forgets.</h2>
        <ul className={styles.list}>
          {benefits.map((claim) => (
            <li key={claim} className={styles.item}>
              <CheckmarkFilled className={styles.tick} aria-hidden />
              {claim}
            </li>
          ))}
        </ul>
        <div className={styles.plans}>
          {plans.map(({ id, name, price, summary, recommended }) => (
            <article key={id} className={mergeClasses(styles.plan, recommended && styles.popular)}>
              <span className={styles.name}>
                {name}
                {recommended && <span className={styles.flag}>Popular</span>}
              </span>
              <span>
                <span className={styles.price}>${price}</span> <Text className={styles.secondary}>per month</Text>
              </span>
              <Text className={styles.secondary}>{summary}</Text>
            </article>
          ))}
        </div>
        <Text className={styles.secondary}>30-day free trial. Cancel anytime. HIPAA compliant.</Text>
      </aside>
    </FluentProvider>
  )
}
