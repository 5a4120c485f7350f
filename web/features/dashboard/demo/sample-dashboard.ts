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
import { createDemoFigures } from '../figures/figures.ts'
import { toLoaded } from '../panels/loadable.ts'
import type {
  ActivePatient,
  Dashboard,
  DayAppointment,
  Insight,
  RecentForm,
  SystemState,
  Trend,
} from '../dashboard-model.ts'

const msPerDay = 86_400_000

/** The full name of somebody of the sample practice. */
function getSamplePatientName(person: number): string {
  const found = samplePeople[person]
  return found ? `${found.firstName} ${found.lastName}` : ''
}

/** The twelve appointments of the sample practice on a day (YYYY-MM-DD), as they stand at a time (HH:mm). */
export const createSampleDay = (today: string, time: string): DayAppointment[] =>
  sampleSchedule(today, time)
    .filter(({ localDate }) => localDate === today)
    .map(({ person, localTime, type, reason, status }) => ({
      id: `sample-${localTime}`,
      time: localTime,
      name: getSamplePatientName(person),
      type,
      reason,
      status,
      isSample: true,
    }))

const createSampleActivity = (now: Date): ActivePatient[] =>
  sampleActivity.map(({ person, minutesAgo }) => ({
    id: `sample-${person}`,
    name: getSamplePatientName(person),
    at: new Date(now.getTime() - minutesAgo * 60_000).toISOString(),
    isSample: true,
  }))

/** The samples of insights, for demo users: their call comes with the insights themselves. */
export const demoInsights = toLoaded<readonly Insight[]>(sampleInsights)

/** The sample forms, dated back from a day (YYYY-MM-DD). */
export const createDemoForms = (today: string): RecentForm[] =>
  sampleForms.map(({ title, person, daysAgo, status, analysed }, index) => ({
    id: `sample-${index}`,
    title,
    name: getSamplePatientName(person),
    day: new Date(Date.parse(`${today}T00:00:00Z`) - daysAgo * msPerDay).toISOString().slice(0, 10),
    status,
    isAnalysed: analysed,
  }))

/** The fixed week of the demo; it is the same for every period (spec). */
export const demoTrends = toLoaded<readonly Trend[]>(
  sampleTrends.map(({ day, ...counts }) => ({ label: day, ...counts })),
)

/** The fixed system status of the demo (spec). */
export const demoSystem = toLoaded<SystemState>({
  services: sampleSystem.services.map(({ name, status }) => ({
    name,
    status: status === 'rate_limited' ? 'rate-limited' : status,
  })),
  uptime: sampleSystem.uptime,
  responseTime: sampleSystem.responseTime,
})

/** The whole sample practice on a day and at a time of its clocks, made in this window: nobody is asked for anything. */
export const createSampleDashboard = (
  now: Date,
  today: string,
  time: string,
): Omit<Dashboard, 'period' | 'onPeriod'> => ({
  isDemo: true,
  now,
  time,
  figures: toLoaded(createDemoFigures(sampleStats)),
  appointments: toLoaded(createSampleDay(today, time)),
  patients: toLoaded(createSampleActivity(now)),
  insights: demoInsights,
  forms: toLoaded(createDemoForms(today)),
  trends: demoTrends,
  system: demoSystem,
})
