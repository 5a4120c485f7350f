import { samplePeople } from '#contracts/sample-people.ts'
import {
  sampleActivity,
  sampleForms,
  sampleInsights,
  sampleStats,
  sampleSystem,
  sampleTrends,
} from '#contracts/sample-practice.ts'
import { sampleSchedule } from '#contracts/sample-schedule.ts'
import { demoFigures } from './figures.ts'
import { ready } from './loaded.ts'
import type { ActivePatient, Dashboard, DayVisit, Insight, RecentForm, SystemState, Trend } from './model.ts'

const dayLength = 86_400_000

/** The full name of somebody of the sample practice. */
function nameOf(person: number): string {
  const found = samplePeople[person]
  return found ? `${found.firstName} ${found.lastName}` : ''
}

/** The twelve visits of the sample practice on a day (YYYY-MM-DD), as they stand at a time (HH:mm). */
export const sampleDay = (today: string, time: string): DayVisit[] =>
  sampleSchedule(today, time)
    .filter(({ localDate }) => localDate === today)
    .map(({ person, localTime, type, reason, status }) => ({
      id: `sample-${localTime}`,
      time: localTime,
      name: nameOf(person),
      type,
      reason,
      status,
      sample: true,
    }))

const activity = (now: Date): ActivePatient[] =>
  sampleActivity.map(({ person, minutesAgo }) => ({
    id: `sample-${person}`,
    name: nameOf(person),
    at: new Date(now.getTime() - minutesAgo * 60_000).toISOString(),
    sample: true,
  }))

/** The samples of insights, for demo users: their call comes with the insights themselves. */
export const demoInsights = ready<readonly Insight[]>(sampleInsights)

/** The sample forms, dated back from a day (YYYY-MM-DD). */
export const demoForms = (today: string): RecentForm[] =>
  sampleForms.map(({ title, person, daysAgo, status, analysed }, index) => ({
    id: `sample-${index}`,
    title,
    name: nameOf(person),
    day: new Date(Date.parse(`${today}T00:00:00Z`) - daysAgo * dayLength).toISOString().slice(0, 10),
    status,
    analysed,
  }))

/** The fixed week of the demo; it is the same for every period (spec). */
export const demoTrends = ready<readonly Trend[]>(sampleTrends.map(({ day, ...counts }) => ({ label: day, ...counts })))

/** The fixed system status of the demo (spec). */
export const demoSystem = ready<SystemState>({
  services: sampleSystem.services.map(({ name, status }) => ({
    name,
    status: status === 'rate_limited' ? 'rate-limited' : status,
  })),
  uptime: sampleSystem.uptime,
  responseTime: sampleSystem.responseTime,
})

/** The whole sample practice on a day and at a time of its clocks, made in this window: nobody is asked for anything. */
export const sampleDashboard = (now: Date, today: string, time: string): Omit<Dashboard, 'period' | 'onPeriod'> => ({
  demo: true,
  now,
  time,
  figures: ready(demoFigures(sampleStats)),
  visits: ready(sampleDay(today, time)),
  patients: ready(activity(now)),
  insights: demoInsights,
  forms: ready(demoForms(today)),
  trends: demoTrends,
  system: demoSystem,
})
