import { useState } from 'react'
import { sampleAnalytics } from '#contracts/sample-practice.ts'
import { addDays } from '#contracts/values/calendar.ts'
import { figureDefinitions } from '#contracts/values/analytics.ts'
import { FeatureGate } from '#web/entities/billing/feature-gate.tsx'
import { DemoBadge } from '#web/entities/sample-data/demo-badge.tsx'
import { getToday } from '#web/ui/dates.ts'
import { Page } from '#web/ui/page.tsx'
import { type AnalyticsModel, type CardKey, cardKeys } from './analytics-model.ts'
import { findDays, formatDays, formatPoint } from './analytics-period.ts'
import { AnalyticsView } from './analytics-view.tsx'

const { growth, rate, revenue, satisfaction, score, scoreLabel, marks, weeks } = sampleAnalytics
const values: Record<CardKey, { value: string; note: string }> = {
  'patient-growth': { value: growth, note: '95 new in 3 months' },
  'appointment-rate': { value: rate, note: '+1.6 points vs the period before' },
  'revenue-growth': { value: revenue, note: '$25,200 more than before' },
  satisfaction: { value: satisfaction, note: '+0.1 vs the period before' },
}

/** Returns the fixed figures of the demo, in weeks that end today. */
function createSampleModel(today: string): AnalyticsModel {
  const toLabel = (index: number) => formatPoint(addDays(today, (index + 1 - weeks.length) * 7 - 6), false)
  return {
    cards: cardKeys.map((key) => ({
      key,
      label: figureDefinitions[key].label,
      ...values[key],
      direction: 'up',
      openLabel: null,
    })),
    score: { value: score, label: scoreLabel, tone: 'success' },
    performance: marks,
    missing: [],
    points: weeks.map(([scheduled, completed, cancelled], index) => ({
      label: toLabel(index),
      scheduled,
      completed,
      cancelled,
    })),
    revenue: weeks.map(([, , , now, before], index) => ({ label: toLabel(index), now, before })),
    pointNote: 'per week',
  }
}

/** Practice Analytics of the demo: fixed figures, and the card of the plan in place of the other panels. */
export function SampleAnalytics({ title }: { title: string }) {
  const [today] = useState(() => getToday())
  return (
    <Page
      title={title}
      subtitle={`${formatDays(findDays('3months', today))}, compared with the 3 months before`}
      action={<DemoBadge />}
    >
      <AnalyticsView model={createSampleModel(today)} onOpen={null}>
        <FeatureGate feature="advanced-analytics">{null}</FeatureGate>
      </AnalyticsView>
    </Page>
  )
}
