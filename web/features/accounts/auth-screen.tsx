import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { getPlan, type PlanId, trialDays } from '#contracts/values/plans.ts'
import { parseChosenPlan } from '#web/entities/billing/chosen-plan.ts'
import { Brand } from '#web/ui/brand-mark.tsx'
import { useLinkStyles } from '#web/ui/link-styles.ts'
import { Tab, TabList } from '#web/ui/tabs.tsx'
import { useIsPainted } from '#web/ui/use-is-painted.ts'
import { AuthBenefits } from './auth-benefits.tsx'
import { LoginForm } from './login-form.tsx'

const route = getRouteApi('/auth')

const loadRegisterForm = () => import('./register-form.tsx').then(({ RegisterForm }) => ({ default: RegisterForm }))
/** Most people who open this screen have an account. */
const RegisterForm = lazy(loadRegisterForm)
const small = '@media (max-width: 959px)'

const useStyles = makeStyles({
  page: {
    minHeight: '100dvh',
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 5fr) minmax(0, 7fr)',
    backgroundColor: tokens.colorNeutralBackground1,
    [small]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  left: {
    display: 'grid',
    gridTemplateRows: 'auto 1fr auto',
    padding: '28px 32px',
    boxSizing: 'border-box',
    minHeight: '100%',
    [small]: { padding: '20px' },
  },
  top: { display: 'flex', alignItems: 'center', justifyContent: 'space-between' },
  form: {
    alignSelf: 'center',
    justifySelf: 'center',
    width: '100%',
    maxWidth: '368px',
    display: 'grid',
    rowGap: '18px',
    padding: '32px 0',
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.02em',
  },
  tabs: { marginLeft: '-12px' },
  footer: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
})

const describeChosenPlan = (id: PlanId) =>
  `You chose ${getPlan(id).name}: the first ${trialDays} days are free, then $${getPlan(id).price} per month.`

/** Sign-in and sign-up, beside the benefits. */
export function AuthScreen() {
  const styles = useStyles()
  const { link } = useLinkStyles()
  const { tab = 'login', redirect } = route.useSearch()
  const plan = parseChosenPlan(redirect)
  const navigate = route.useNavigate()
  useEffect(() => {
    document.title = tab === 'login' ? 'Sign in, Everchart' : 'Create an account, Everchart'
  }, [tab])
  const isPainted = useIsPainted()
  // Before someone chooses that tab.
  useEffect(() => {
    if (isPainted) void loadRegisterForm()
  }, [isPainted])
  return (
    <div className={styles.page}>
      <main id="content" className={styles.left}>
        <div className={styles.top}>
          <Brand tagline="Healthcare Management" />
          <Button as="a" href="/pricing" appearance="subtle">
            View Pricing
          </Button>
        </div>
        <div className={styles.form}>
          <h1 className={styles.title}>{tab === 'login' ? 'Good to see you' : 'Create your account'}</h1>
          {tab === 'register' && plan && <Text>{describeChosenPlan(plan)}</Text>}
          <TabList
            className={styles.tabs}
            selectedValue={tab}
            size="large"
            aria-label="Login or register"
            onTabSelect={(_, { value }) =>
              void navigate({
                search: (before) => ({ ...before, tab: value === 'register' ? ('register' as const) : undefined }),
                replace: true,
              })
            }
          >
            <Tab value="login">Login</Tab>
            <Tab value="register">Register</Tab>
          </TabList>
          {tab === 'login' ? (
            <LoginForm />
          ) : (
            <Suspense>
              <RegisterForm />
            </Suspense>
          )}
          {tab === 'login' && (
            <Text className={styles.footer}>
              New here?{' '}
              <Link to="/auth" search={(before) => ({ ...before, tab: 'register' as const })} className={link}>
                Create a free account
              </Link>
              , it takes a minute.
            </Text>
          )}
        </div>
        <Text className={styles.footer}>Sign-ins are recorded, as required by law.</Text>
      </main>
      <AuthBenefits />
    </div>
  )
}
