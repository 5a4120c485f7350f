import { useRouterState } from '@tanstack/react-router'
import type { Feature } from '#contracts/values/tiers.ts'
import { GatedPage } from '#web/entities/billing/feature-gate.tsx'
import { ComingSoonScreen } from './coming-soon-screen.tsx'
import { getScreenTitle } from './screen-titles.ts'

const featureByPath: Readonly<Record<string, Feature>> = {
  '/analytics': 'advanced-analytics',
}

const notYet = 'This screen is still being built: with the plan too, it is not available yet.'

/** Placeholder of a future screen that not every plan includes; says so where the plan does not. */
export function GatedComingSoonScreen() {
  const path = useRouterState({ select: ({ location }) => location.pathname.replace(/(?<=.)\/$/, '') })
  const feature = featureByPath[path]
  if (!feature) return <ComingSoonScreen />
  return (
    <GatedPage feature={feature} title={getScreenTitle(path)} note={notYet}>
      <ComingSoonScreen />
    </GatedPage>
  )
}
